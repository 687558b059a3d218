// One thread reads the counter while it holds a mutex that it waited with and one read-write lock, which it has read
// twice and given back once. What else it took it has given back, or did not get. The other thread holds nothing.
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <shared_mutex>
#include <thread>

std::mutex waited_with, given_back, not_had;
std::shared_mutex read_twice;
std::condition_variable changed;
int counter = 0;

void read_counter() {
  given_back.lock();
  if (not_had.try_lock()) not_had.unlock();
  given_back.unlock();
  std::unique_lock guard(waited_with);
  changed.wait_for(guard, std::chrono::milliseconds(1));
  read_twice.lock_shared();
  read_twice.lock_shared();
  read_twice.unlock_shared();
  if (counter == 7) return;
  read_twice.unlock_shared();
}

int main() {
  std::thread reader(read_counter);
  counter = 1;
  reader.join();
}
