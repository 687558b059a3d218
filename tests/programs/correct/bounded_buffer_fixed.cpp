// A bounded buffer with a condition for each side.
// expect: passes
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>

#include <heddle/heddle.hpp>

class Buffer {
 public:
  void put() {
    std::unique_lock guard(lock_);
    not_full_.wait(guard, [this] { return items_ < kCapacity; });
    ++items_;
    not_empty_.notify_one();
  }
  void take() {
    std::unique_lock guard(lock_);
    not_empty_.wait(guard, [this] { return items_ > 0; });
    --items_;
    not_full_.notify_one();
  }
  int size() const { return items_; }

 private:
  static constexpr int kCapacity = 1;
  std::mutex lock_;
  std::condition_variable not_full_, not_empty_;
  int items_ = 0;
};

void test() {
  Buffer buffer;
  const auto produce = [&] {
    for (int i = 0; i < 3; ++i) buffer.put();
  };
  const auto consume = [&] {
    for (int i = 0; i < 3; ++i) buffer.take();
  };
  std::thread producers[] = {std::thread(produce), std::thread(produce)};
  std::thread consumers[] = {std::thread(consume), std::thread(consume)};
  for (std::thread& thread : producers) thread.join();
  for (std::thread& thread : consumers) thread.join();
  assert(buffer.size() == 0);
}

int main() { return heddle::explore_main(test); }
