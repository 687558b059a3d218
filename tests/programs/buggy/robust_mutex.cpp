// A thread dies with a robust mutex; the next owner gives it back without making it consistent.
// expect: verdict=assertion message="assertion `error == 0` failed"
// expect: verdict=assertion strategy=dfs executions=1
#include <pthread.h>

#include <cassert>
#include <cerrno>
#include <thread>

#include <heddle/heddle.hpp>

void test() {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
  pthread_mutex_t lock;
  pthread_mutex_init(&lock, &attributes);
  std::thread dies([&] { pthread_mutex_lock(&lock); });
  dies.join();
  int error = pthread_mutex_lock(&lock);
  assert(error == EOWNERDEAD);
  pthread_mutex_unlock(&lock);
  error = pthread_mutex_lock(&lock);
  assert(error == 0);
}

int main() { return heddle::explore_main(test); }
