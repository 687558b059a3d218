// The buffer is freed by whoever comes second, and written to by the other. Only AddressSanitizer sees that.
// expect: sanitizer=address verdict=memory-error message="AddressSanitizer found a memory error"
#include <mutex>
#include <thread>

#include <heddle/heddle.hpp>

void test() {
  std::mutex lock;
  auto* buffer = new int[4];
  std::thread closer([&] {
    const std::lock_guard guard(lock);
    delete[] buffer;
  });
  {
    const std::lock_guard guard(lock);
    static_cast<volatile int*>(buffer)[0] = 1;
  }
  closer.join();
}

int main() { return heddle::explore_main(test); }
