// Two threads wait; one is cancelled, and leaves the queue of the condition: the signal that follows is for the other.
// expect: passes
// expect: passes strategy=dfs:reduce=1 complete
#include <pthread.h>

#include <heddle/heddle.hpp>

pthread_mutex_t lock;
pthread_cond_t go;
bool may_go;

void leave(void*) { pthread_mutex_unlock(&lock); }

void* wait_to_go(void*) {
  pthread_mutex_lock(&lock);
  pthread_cleanup_push(leave, nullptr);
  while (!may_go) pthread_cond_wait(&go, &lock);
  pthread_cleanup_pop(1);
  return nullptr;
}

void test() {
  lock = PTHREAD_MUTEX_INITIALIZER;
  go = PTHREAD_COND_INITIALIZER;
  may_go = false;
  pthread_t cancelled, other;
  pthread_create(&cancelled, nullptr, wait_to_go, nullptr);
  pthread_create(&other, nullptr, wait_to_go, nullptr);
  pthread_cancel(cancelled);
  pthread_mutex_lock(&lock);
  may_go = true;
  pthread_cond_signal(&go);
  pthread_mutex_unlock(&lock);
  pthread_join(cancelled, nullptr);
  pthread_join(other, nullptr);
}

int main() { return heddle::explore_main(test); }
