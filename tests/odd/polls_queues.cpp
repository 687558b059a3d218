// odd: workers take from queues at random, in a loop over atomics, until they are told to stop
// expect: nothing
// build: instrumented
// options: --executions 100 --time 15
// never: computes without coming to a scheduling point
#include <atomic>
#include <thread>

static std::atomic<int> queues[8];
static std::atomic<bool> stop{false};

static void work() {
  int seen = 0;
  unsigned random = 1;
  while (!stop.load()) {
    random = random * 1103515245 + 12345;
    if (queues[(random >> 16) & 7].exchange(0) != 0) ++seen;
  }
}

int main() {
  std::thread one(work);
  std::thread two(work);
  for (std::atomic<int>& queue : queues) queue.store(1);
  stop.store(true);
  one.join();
  two.join();
}
