// A thread ends and keeps its spin lock; another tries to take it for ever.
// expect: verdict=livelock message="T0 comes back to the same state"
#include <pthread.h>
#include <sched.h>

#include <thread>

#include <heddle/heddle.hpp>

void test() {
  pthread_spinlock_t lock;
  pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
  bool is_ready = false;
  std::thread writer([&] {
    if (pthread_spin_trylock(&lock) == 0) is_ready = true;
  });
  while (pthread_spin_trylock(&lock) != 0) sched_yield();
  is_ready = false;
  pthread_spin_unlock(&lock);
  writer.join();
}

int main() { return heddle::explore_main(test, {.name = "poll under spin lock", .steps_max = 1000}); }
