// A loop of 32,000 atomic loads of a flag that nobody sets: it counts, so it ends.
// expect: nothing
#include <atomic>
#include <thread>

std::atomic<bool> is_set = false;

int main() {
  std::thread looker([] {
    for (int i = 0; i < 32'000 && !is_set.load(); ++i) {
    }
  });
  looker.join();
}
