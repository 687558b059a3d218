// A loop of atomic loads that looks as if it counted, but begins to count anew in each round.
// expect: finds=livelock
#include <atomic>
#include <thread>

std::atomic<bool> is_set = false;

int main() {
  std::thread looker([] {
    for (int i = 0; i < 100 && !is_set.load(); ++i) i = 0;
  });
  looker.join();
}
