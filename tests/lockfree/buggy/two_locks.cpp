// Both threads hold a lock when they change the counter, but not the same one.
// expect: finds=race
#include <mutex>
#include <thread>

std::mutex first, second;
int counter = 0;

void add(std::mutex& lock) {
  const std::lock_guard guard(lock);
  ++counter;
}

int main() {
  std::thread one([] { add(first); });
  std::thread two([] { add(second); });
  one.join();
  two.join();
}
