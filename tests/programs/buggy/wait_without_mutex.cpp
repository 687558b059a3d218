// The lock is given back too early: the wait begins without it.
// expect: verdict=misuse message="T0 waits for condition c1 with mutex m1, which .* .wait-without-mutex."
// expect: verdict=misuse strategy=dfs executions<=10
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
    pthread_cond_signal(&done);
    pthread_mutex_unlock(&lock);
  });
  pthread_mutex_lock(&lock);
  const bool waits = !is_done;
  pthread_mutex_unlock(&lock);
  if (waits) pthread_cond_wait(&done, &lock);
  worker.join();
}

int main() { return heddle::explore_main(test); }
