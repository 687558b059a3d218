// The wait begins with the lock. A lock that tells who does not hold it tells a wait as well.
// expect: passes
#include <pthread.h>

#include <cassert>
#include <cerrno>
#include <thread>

#include <heddle/heddle.hpp>

void test() {
  pthread_mutex_t lock = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
  pthread_cond_t done = PTHREAD_COND_INITIALIZER;
  bool is_done = false;
  std::thread worker([&] {
    pthread_mutex_lock(&lock);
    is_done = true;
    pthread_cond_signal(&done);
    pthread_mutex_unlock(&lock);
  });
  const int error = pthread_cond_wait(&done, &lock);
  assert(error == EPERM);
  pthread_mutex_lock(&lock);
  while (!is_done) pthread_cond_wait(&done, &lock);
  pthread_mutex_unlock(&lock);
  worker.join();
}

int main() { return heddle::explore_main(test); }
