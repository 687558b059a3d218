// odd: what a thread leaves behind allocates, locks and registers more while it is destroyed
// expect: nothing
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

static std::mutex lock;
static std::vector<std::string> seen;

struct Last {
  ~Last() {
    const std::lock_guard guard(lock);
    seen.push_back(std::string(100, 'l'));
  }
};
struct First {
  ~First() {
    thread_local Last last;
    (void)&last;
    const std::lock_guard guard(lock);
    seen.push_back(std::string(200, 'f'));
  }
};

int main() {
  std::vector<std::thread> threads;
  for (int i = 0; i < 2; ++i)
    threads.emplace_back([] {
      thread_local First first;
      (void)&first;
    });
  for (std::thread& thread : threads) thread.join();
  return seen.size() == 4 ? 0 : 1;
}
