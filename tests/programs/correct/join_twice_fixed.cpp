// The other one waits for the flag that the worker sets. Who gave up a join in time may join again, and another may.
// expect: passes
#include <pthread.h>
#include <time.h>

#include <cassert>
#include <cerrno>
#include <condition_variable>
#include <mutex>
#include <thread>

#include <heddle/heddle.hpp>

std::mutex lock;
std::condition_variable changed;
bool is_done;

void test() {
  is_done = false;
  pthread_t worker;
  const auto work = [](void*) -> void* {
    const std::lock_guard guard(lock);
    is_done = true;
    changed.notify_all();
    return nullptr;
  };
  pthread_create(&worker, nullptr, work, nullptr);
  std::thread impatient([] {
    std::unique_lock guard(lock);
    changed.wait(guard, [] { return is_done; });
  });
  timespec soon;
  clock_gettime(CLOCK_REALTIME, &soon);
  soon.tv_sec += 1;
  const int error = pthread_timedjoin_np(worker, nullptr, &soon);
  assert(error == 0 || error == ETIMEDOUT);
  if (error != 0) std::thread([worker] { pthread_join(worker, nullptr); }).join();
  impatient.join();
}

int main() { return heddle::explore_main(test); }
