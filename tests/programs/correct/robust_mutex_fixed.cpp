// The owner after one that died makes the mutex consistent. Who waits when the owner dies is woken.
// expect: passes
// expect: passes strategy=dfs complete executions=39
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
  int deaths = 0;
  const auto die_with_it = [&] {
    if (pthread_mutex_lock(&lock) != EOWNERDEAD) return;
    ++deaths;
    pthread_mutex_consistent(&lock);
  };
  std::thread one(die_with_it);
  std::thread two(die_with_it);
  one.join();
  two.join();
  assert(pthread_mutex_lock(&lock) == EOWNERDEAD);
  assert(deaths == 1);
  assert(pthread_mutex_consistent(&lock) == 0);
  assert(pthread_mutex_unlock(&lock) == 0);
  assert(pthread_mutex_lock(&lock) == 0);
  assert(pthread_mutex_unlock(&lock) == 0);
  pthread_mutex_destroy(&lock);
}

int main() { return heddle::explore_main(test); }
