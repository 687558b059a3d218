// A thread ends and keeps a spin lock that it built of an atomic flag.
// expect: finds=livelock
#include <atomic>
#include <thread>

std::atomic_flag is_taken;
int shared = 0;

void take() {
  while (is_taken.test_and_set()) {
  }
}

int main() {
  std::thread careless([] {
    take();
    if (++shared == 1) return;
    is_taken.clear();
  });
  take();
  ++shared;
  is_taken.clear();
  careless.join();
}
