// A bounded buffer with one condition for "not full" and "not empty": notify_one may wake the wrong side.
// expect: verdict="deadlock|lost-wakeup"
#include <condition_variable>
#include <mutex>
#include <thread>

#include <heddle/heddle.hpp>

class Buffer {
 public:
  void put() {
    std::unique_lock guard(lock_);
    changed_.wait(guard, [this] { return items_ < kCapacity; });
    ++items_;
    changed_.notify_one();
  }
  void take() {
    std::unique_lock guard(lock_);
    changed_.wait(guard, [this] { return items_ > 0; });
    --items_;
    changed_.notify_one();
  }

 private:
  static constexpr int kCapacity = 1;
  std::mutex lock_;
  std::condition_variable changed_;
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
}

int main() { return heddle::explore_main(test); }
