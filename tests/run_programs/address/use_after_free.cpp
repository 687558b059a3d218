// The buffer is freed by whoever comes second, and written to by the other. Only AddressSanitizer sees that.
#include <mutex>
#include <thread>

int main() {
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
