// odd: a thread with line breaks and control characters in its name crashes in a function with a very long name
// expect: bug: segmentation fault
// build: instrumented
// options: --races ignore --executions 20
#include <pthread.h>

#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

static std::mutex lock;
static volatile int* nowhere = nullptr;

template <typename T, int kDepth>
struct Deep {
  static void go() { Deep<std::map<std::string, std::vector<T>>, kDepth - 1>::go(); }
};
template <typename T>
struct Deep<T, 0> {
  static void go() {
    const std::lock_guard guard(lock);
    *nowhere = 1;
  }
};

int main() {
  std::thread thread([] {
    pthread_setname_np(pthread_self(), "a b\nc\td\x01\xff'\"");
    Deep<int, 8>::go();
  });
  thread.join();
}
