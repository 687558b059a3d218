// The lock is given back by who took it, once: also a recursive one, and one that tells who does not hold it.
// expect: passes
#include <pthread.h>

#include <cassert>
#include <cerrno>
#include <mutex>
#include <thread>

#include <heddle/heddle.hpp>

void test() {
  std::mutex lock;
  std::recursive_mutex again;
  pthread_mutex_t checking = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
  const auto work = [&] {
    const std::unique_lock guard(lock);
    const std::lock_guard outer(again);
    const std::lock_guard inner(again);
    const int error = pthread_mutex_unlock(&checking);
    assert(error == EPERM);
  };
  std::thread worker(work);
  work();
  worker.join();
}

int main() { return heddle::explore_main(test); }
