// A thread is cancelled in a condition wait, from which it comes with the mutex, and nobody gives that back.
// expect: verdict=deadlock message="T0 waits for m1 \(held by T1\)"
// expect: verdict=deadlock strategy=dfs executions<=20
#include <pthread.h>

#include <thread>

#include <heddle/heddle.hpp>

pthread_mutex_t lock;
pthread_cond_t work;

void* wait_for_work(void*) {
  pthread_mutex_lock(&lock);
  for (;;) pthread_cond_wait(&work, &lock);
}

void test() {
  lock = PTHREAD_MUTEX_INITIALIZER;
  work = PTHREAD_COND_INITIALIZER;
  pthread_t worker;
  pthread_create(&worker, nullptr, wait_for_work, nullptr);
  pthread_cancel(worker);
  pthread_join(worker, nullptr);
  pthread_mutex_lock(&lock);
  pthread_mutex_unlock(&lock);
}

int main() { return heddle::explore_main(test); }
