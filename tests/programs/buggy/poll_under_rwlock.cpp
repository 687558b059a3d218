// A thread polls a flag and keeps reading under a lock that the only writer needs for itself.
// expect: verdict=livelock message="T1 comes back to the same state"
#include <pthread.h>
#include <sched.h>

#include <thread>

#include <heddle/heddle.hpp>

void test() {
  pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
  bool is_ready = false;
  std::thread poller([&] {
    pthread_rwlock_rdlock(&lock);
    while (!is_ready) sched_yield();
    pthread_rwlock_unlock(&lock);
  });
  pthread_rwlock_wrlock(&lock);
  is_ready = true;
  pthread_rwlock_unlock(&lock);
  poller.join();
  pthread_rwlock_destroy(&lock);
}

int main() { return heddle::explore_main(test, {.name = "poll under rwlock", .steps_max = 1000}); }
