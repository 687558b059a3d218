// A message is announced by a relaxed flag, and by a byte in a pipe that is read before the message is.
// expect: nothing
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
  int log[2];
  assert(pipe(log) == 0);
  const int copy = dup(log[1]);
  std::thread sender([&] {
    payload = 42;
    put(copy);
    is_ready.store(true, std::memory_order_relaxed);
  });
  while (!is_ready.load(std::memory_order_relaxed)) {
  }
  take(log[0]);
  assert(payload == 42);
  sender.join();
}
