// Whoever frees the lock wakes all who wait.
// expect: passes
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>

#include <heddle/heddle.hpp>

class ReadersAndWriters {
 public:
  void begin_read() {
    std::unique_lock guard(lock_);
    free_.wait(guard, [this] { return !writes_; });
    ++readers_;
  }
  void end_read() {
    const std::lock_guard guard(lock_);
    if (--readers_ == 0) free_.notify_all();
  }
  void begin_write() {
    std::unique_lock guard(lock_);
    free_.wait(guard, [this] { return !writes_ && readers_ == 0; });
    writes_ = true;
  }
  void end_write() {
    const std::lock_guard guard(lock_);
    writes_ = false;
    free_.notify_all();
  }

 private:
  std::mutex lock_;
  std::condition_variable free_;
  int readers_ = 0;
  bool writes_ = false;
};

void test() {
  ReadersAndWriters lock;
  int value = 0;
  const auto read = [&] {
    lock.begin_read();
    const int seen = value;
    heddle::step();
    assert(value == seen);
    lock.end_read();
  };
  const auto write = [&] {
    lock.begin_write();
    const int seen = value;
    heddle::step();
    value = seen + 1;
    lock.end_write();
  };
  std::thread threads[] = {std::thread(read), std::thread(write), std::thread(write), std::thread(read)};
  for (std::thread& thread : threads) thread.join();
  assert(value == 2);
}

int main() { return heddle::explore_main(test); }
