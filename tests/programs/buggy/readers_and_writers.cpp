// A read-write lock made of a mutex and a condition: the last reader compares before it counts, and wakes nobody.
// expect: verdict="deadlock|lost-wakeup"
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
    if (readers_-- == 0) free_.notify_all();
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
  const auto read = [&] {
    lock.begin_read();
    lock.end_read();
  };
  const auto write = [&] {
    lock.begin_write();
    lock.end_write();
  };
  std::thread threads[] = {std::thread(read), std::thread(write), std::thread(write), std::thread(read)};
  for (std::thread& thread : threads) thread.join();
}

int main() { return heddle::explore_main(test); }
