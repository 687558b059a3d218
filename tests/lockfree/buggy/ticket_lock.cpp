// A ticket lock in which a ticket is drawn by a load and a store: two threads load the same number, and both are
// served at once.
// expect: finds=assertion|race|livelock
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> next_ticket = 0;
std::atomic<int> now_serving = 0;
int visits = 0;  // guarded by the lock

void lock() {
  const int ticket = next_ticket.load(std::memory_order_relaxed);
  next_ticket.store(ticket + 1, std::memory_order_relaxed);
  while (now_serving.load(std::memory_order_acquire) != ticket) {
  }
}

void unlock() {
  // Only the owner writes it.
  now_serving.store(now_serving.load(std::memory_order_relaxed) + 1, std::memory_order_release);
}

void visit() {
  lock();
  ++visits;
  unlock();
}

int main() {
  std::thread one(visit);
  std::thread two(visit);
  visit();
  one.join();
  two.join();
  assert(visits == 3);
}
