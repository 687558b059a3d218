// The owner of a table destroys its mutex while a worker may still be inside.
// expect: verdict=misuse message="T0 destroys mutex m1, which T1 holds .destroy-in-use."
// expect: verdict=misuse strategy=dfs executions<=20
#include <pthread.h>
#include <sched.h>

#include <thread>

#include <heddle/heddle.hpp>

void test() {
  pthread_mutex_t lock;
  pthread_mutex_init(&lock, nullptr);
  bool has_begun = false;
  std::thread worker([&] {
    pthread_mutex_lock(&lock);
    has_begun = true;
    heddle::step();
    pthread_mutex_unlock(&lock);
  });
  while (!has_begun) sched_yield();
  pthread_mutex_destroy(&lock);
  worker.join();
}

int main() { return heddle::explore_main(test); }
