// The signal is given with the lock, so whoever waited is not through before it is given.
// expect: passes
// expect: passes strategy=dfs complete executions<=200
#include <pthread.h>

#include <thread>

#include <heddle/heddle.hpp>

void test() {
  pthread_mutex_t lock;
  pthread_mutex_init(&lock, nullptr);
  pthread_cond_t done = PTHREAD_COND_INITIALIZER;
  bool is_done = false;
  std::thread worker([&] {
    pthread_mutex_lock(&lock);
    is_done = true;
    pthread_cond_signal(&done);
    pthread_mutex_unlock(&lock);
  });
  pthread_mutex_lock(&lock);
  while (!is_done) pthread_cond_wait(&done, &lock);
  pthread_mutex_unlock(&lock);
  pthread_cond_destroy(&done);
  pthread_mutex_destroy(&lock);
  worker.join();
}

int main() { return heddle::explore_main(test); }
