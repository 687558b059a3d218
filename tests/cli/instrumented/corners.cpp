// What an instrumented program may do besides: objects made before main, exceptions, longjmp, signal handlers,
// thread-local objects, atomics of every size. Nothing is wrong with it.
#include <atomic>
#include <cassert>
#include <csetjmp>
#include <csignal>
#include <cstdint>
#include <mutex>
#include <stdexcept>
#include <thread>

namespace {

struct Early {
  Early() { ++made; }
  int made = 0;
} early;

std::mutex lock;
int total = 0;
std::atomic<int> handled = 0;
thread_local int mine = 0;
std::jmp_buf back;

int fails(int depth) {
  if (depth == 0) throw std::runtime_error("deep");
  return fails(depth - 1) + 1;
}

void leaves(int depth) {
  if (depth == 0) std::longjmp(back, 1);
  leaves(depth - 1);
}

template <typename T>
void count(std::atomic<T>& counter) {
  counter.fetch_add(1, std::memory_order_relaxed);
  T seen = counter.load();
  while (!counter.compare_exchange_weak(seen, static_cast<T>(seen + 1))) {
  }
}

std::atomic<std::uint8_t> bytes = 0;
std::atomic<std::uint16_t> halves = 0;
std::atomic<std::uint32_t> words = 0;
std::atomic<std::uint64_t> longs = 0;

void work() {
  try {
    fails(3);
  } catch (const std::runtime_error&) {
    ++mine;
  }
  count(bytes);
  count(halves);
  count(words);
  count(longs);
  const std::lock_guard guard(lock);
  total += mine;
}

}  // namespace

int main() {
  assert(early.made == 1);
  std::signal(SIGUSR1, [](int) { handled = 1; });
  std::raise(SIGUSR1);
  assert(handled == 1);
  if (setjmp(back) == 0) leaves(3);
  std::thread one(work);
  std::thread two(work);
  one.join();
  two.join();
  assert(total == 2 && mine == 0);
  assert(bytes == 4 && halves == 4 && words == 4 && longs == 4);
}
