// A cancelled thread runs its cleanup handlers, the last one pushed first, and its destructors.
// expect: passes
// expect: passes strategy=dfs complete executions=4
#include <pthread.h>

#include <cassert>
#include <string>

#include <heddle/heddle.hpp>

pthread_mutex_t lock;
pthread_cond_t work;
std::string order;

struct Destroyed {
  ~Destroyed() { order += 'd'; }
};

void give_back(void* mutex) {
  order += 'u';
  pthread_mutex_unlock(static_cast<pthread_mutex_t*>(mutex));
}

void note(void*) { order += 'n'; }

void* wait_for_work(void*) {
  pthread_cleanup_push(note, nullptr);
  const Destroyed object;
  pthread_mutex_lock(&lock);
  pthread_cleanup_push(give_back, &lock);
  for (;;) pthread_cond_wait(&work, &lock);
  pthread_cleanup_pop(0);
  pthread_cleanup_pop(0);
  return nullptr;
}

void test() {
  order.clear();
  lock = PTHREAD_MUTEX_INITIALIZER;
  work = PTHREAD_COND_INITIALIZER;
  pthread_t worker;
  pthread_create(&worker, nullptr, wait_for_work, nullptr);
  pthread_cancel(worker);
  void* result = nullptr;
  pthread_join(worker, &result);
  assert(result == PTHREAD_CANCELED);
  assert(order == "udn");
  assert(pthread_mutex_trylock(&lock) == 0);
  pthread_mutex_unlock(&lock);
}

int main() { return heddle::explore_main(test); }
