// Everything by which the standard library orders threads: mutex, condition, shared mutex, semaphore, latch, barrier,
// call_once, a static of a function, future, shared_ptr. Each hands over a plain value.
// expect: nothing
#include <barrier>
#include <cassert>
#include <condition_variable>
#include <future>
#include <latch>
#include <memory>
#include <mutex>
#include <semaphore>
#include <shared_mutex>
#include <thread>

namespace {

int& common() {
  static int made = [] { return 7; }();
  return made;
}

void by_condition() {
  std::mutex lock;
  std::condition_variable filled;
  bool is_filled = false;
  int value = 0;
  std::thread writer([&] {
    value = 1;
    const std::lock_guard guard(lock);
    is_filled = true;
    filled.notify_one();
  });
  std::unique_lock guard(lock);
  filled.wait(guard, [&] { return is_filled; });
  assert(value == 1);
  guard.unlock();
  writer.join();
}

void by_shared_mutex() {
  std::shared_mutex lock;
  int value = 0;
  std::thread writer([&] {
    const std::lock_guard guard(lock);
    ++value;
  });
  {
    const std::shared_lock guard(lock);
    assert(value == 0 || value == 1);
  }
  {
    const std::lock_guard guard(lock);
    ++value;
  }
  writer.join();
  assert(value == 2);
}

void by_semaphore() {
  std::binary_semaphore full(0);
  int value = 0;
  std::thread writer([&] {
    value = 1;
    full.release();
  });
  full.acquire();
  assert(value == 1);
  writer.join();
}

void by_latch_and_barrier() {
  std::latch ready(2);
  std::barrier turn(2);
  int first = 0, second = 0;
  std::thread other([&] {
    first = 1;
    ready.arrive_and_wait();
    turn.arrive_and_wait();
    second = first + 1;
    turn.arrive_and_wait();
  });
  ready.arrive_and_wait();
  assert(first == 1);
  turn.arrive_and_wait();
  turn.arrive_and_wait();
  assert(second == 2);
  other.join();
}

void by_once() {
  std::once_flag flag;
  int value = 0;
  const auto use = [&] {
    std::call_once(flag, [&] { value = 5; });
    assert(value == 5);
    assert(common() == 7);
  };
  std::thread other(use);
  use();
  other.join();
}

void by_future() {
  std::promise<int> promise;
  int value = 0;
  std::thread writer([&] {
    value = 3;
    promise.set_value(4);
  });
  assert(promise.get_future().get() == 4);
  assert(value == 3);
  writer.join();
}

void by_shared_pointer() {
  auto shared = std::make_shared<int>(1);
  std::thread other([mine = shared] { assert(*mine == 1); });
  shared.reset();
  other.join();
}

}  // namespace

int main() {
  by_condition();
  by_shared_mutex();
  by_semaphore();
  by_latch_and_barrier();
  by_once();
  by_future();
  by_shared_pointer();
}
