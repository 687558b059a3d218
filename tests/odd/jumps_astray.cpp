// odd: a thread calls an address where there is no code, in a program whose accesses heddle sees
// expect: bug: it called or jumped to an address without code
// build: instrumented
// options: --races ignore --executions 20
#include <mutex>
#include <thread>

static std::mutex lock;
static int shared;

int main() {
  std::thread one([] {
    lock.lock();
    shared = 1;
    reinterpret_cast<void (*)()>(0x12345678)();
  });
  std::thread two([] {
    const std::lock_guard guard(lock);
    shared = 2;
  });
  one.join();
  two.join();
}
