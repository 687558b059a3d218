// A test-and-set lock that is given back before the last write: the other thread takes it and reads the old balance.
// expect: finds=race|assertion
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<bool> is_locked = false;
int balance = 0;  // guarded by the lock

bool try_lock() { return !is_locked.exchange(true, std::memory_order_acquire); }

void unlock() { is_locked.store(false, std::memory_order_release); }

void deposit() {
  while (!try_lock()) {
  }
  const int before = balance;
  unlock();
  balance = before + 1;
}

int main() {
  std::thread one(deposit);
  std::thread two(deposit);
  one.join();
  two.join();
  assert(balance == 2);
}
