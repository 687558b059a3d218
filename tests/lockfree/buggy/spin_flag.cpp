// Main spins for a flag that the worker does not set when it is cancelled before it starts.
// expect: finds=livelock
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<bool> is_cancelled = false;
std::atomic<bool> is_done = false;
int result = 0;

void work() {
  if (is_cancelled.load()) return;
  result = 7;
  is_done.store(true);
}

int main() {
  std::thread worker(work);
  std::thread user([] { is_cancelled.store(true); });
  while (!is_done.load()) {
  }
  assert(result == 0 || result == 7);
  worker.join();
  user.join();
}
