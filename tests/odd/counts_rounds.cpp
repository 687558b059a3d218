// odd: a thread waits in a loop over atomics that counts its rounds, with no call that synchronises
// expect: nothing
// build: instrumented
// options: --executions 100 --time 10
// says: nothing found in 100 executions
#include <atomic>
#include <thread>

static std::atomic<int> flag{0};
static std::atomic<int> rounds{0};

int main() {
  std::thread one([] {
    while (flag.load() == 0) rounds.fetch_add(1);
  });
  std::thread two([] { flag.store(1); });
  one.join();
  two.join();
}
