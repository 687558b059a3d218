// The signal is given after the lock is given back: by then, who waited may be through, and the condition destroyed.
// expect: verdict=misuse message="T1 uses a condition that T0 destroyed .use-after-destroy."
// expect: verdict=misuse strategy=dfs executions<=100
#include <pthread.h>

#include <thread>

#include <heddle/heddle.hpp>

void test() {
  pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  pthread_cond_t done = PTHREAD_COND_INITIALIZER;
  bool is_done = false;
  std::thread worker([&] {
    pthread_mutex_lock(&lock);
    is_done = true;
    pthread_mutex_unlock(&lock);
    pthread_cond_signal(&done);
  });
  pthread_mutex_lock(&lock);
  while (!is_done) pthread_cond_wait(&done, &lock);
  pthread_mutex_unlock(&lock);
  pthread_cond_destroy(&done);
  worker.join();
}

int main() { return heddle::explore_main(test); }
