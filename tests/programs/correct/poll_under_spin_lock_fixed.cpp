// A thread polls a flag under a spin lock, without pause.
// expect: passes strategy=every
#include <pthread.h>

#include <thread>

#include <heddle/heddle.hpp>

void test() {
  pthread_spinlock_t lock;
  pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
  bool is_ready = false;
  std::thread writer([&] {
    pthread_spin_lock(&lock);
    is_ready = true;
    pthread_spin_unlock(&lock);
  });
  for (bool seen = false; !seen;) {
    pthread_spin_lock(&lock);
    seen = is_ready;
    pthread_spin_unlock(&lock);
  }
  writer.join();
  pthread_spin_destroy(&lock);
}

int main() { return heddle::explore_main(test, {.name = "poll under spin lock", .steps_max = 10'000}); }
