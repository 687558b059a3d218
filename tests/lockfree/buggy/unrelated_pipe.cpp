// A message is announced by a relaxed flag. Both sides use pipes besides, each its own, which orders nothing.
// expect: finds=race
#include <unistd.h>

#include <atomic>
#include <cassert>
#include <thread>

int payload = 0;
std::atomic<bool> is_ready = false;

void put(int pipe) {
  const char byte = 'x';
  assert(write(pipe, &byte, 1) == 1);
}

void take(int pipe) {
  char byte = 0;
  assert(read(pipe, &byte, 1) == 1);
}

int main() {
  int log[2], own[2];
  assert(pipe(log) == 0 && pipe(own) == 0);
  std::thread sender([&] {
    payload = 42;
    put(log[1]);
    is_ready.store(true, std::memory_order_relaxed);
  });
  while (!is_ready.load(std::memory_order_relaxed)) {
  }
  put(own[1]);
  take(own[0]);
  assert(payload == 42);
  sender.join();
}
