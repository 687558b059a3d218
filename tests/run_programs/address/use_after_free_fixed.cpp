// The buffer is freed when nobody writes to it any more.
#include <mutex>
#include <thread>

int main() {
  std::mutex lock;
  auto* buffer = new int[4];
  std::thread writer([&] {
    const std::lock_guard guard(lock);
    static_cast<volatile int*>(buffer)[1] = 2;
  });
  {
    const std::lock_guard guard(lock);
    static_cast<volatile int*>(buffer)[0] = 1;
  }
  writer.join();
  delete[] buffer;
}
