// Two threads wait for an item. The one that is woken may be cancelled before it takes it: it signals again, for the
// other one.
// expect: passes
// expect: passes strategy=dfs:reduce=1 complete
#include <pthread.h>

#include <heddle/heddle.hpp>

pthread_mutex_t lock;
pthread_cond_t came;
int items;

void leave(void*) {
  if (items > 0) pthread_cond_signal(&came);
  pthread_mutex_unlock(&lock);
}

void* take_item(void*) {
  pthread_mutex_lock(&lock);
  pthread_cleanup_push(leave, nullptr);
  while (items == 0) pthread_cond_wait(&came, &lock);
  pthread_testcancel();
  --items;
  pthread_cleanup_pop(1);
  return nullptr;
}

void test() {
  lock = PTHREAD_MUTEX_INITIALIZER;
  came = PTHREAD_COND_INITIALIZER;
  items = 0;
  pthread_t cancelled, other;
  pthread_create(&cancelled, nullptr, take_item, nullptr);
  pthread_create(&other, nullptr, take_item, nullptr);
  pthread_mutex_lock(&lock);
  items = 1;
  pthread_cond_signal(&came);
  pthread_mutex_unlock(&lock);
  pthread_cancel(cancelled);
  void* result = nullptr;
  pthread_join(cancelled, &result);
  if (result != PTHREAD_CANCELED) {  // it took the item: here is another
    pthread_mutex_lock(&lock);
    items = 1;
    pthread_cond_signal(&came);
    pthread_mutex_unlock(&lock);
  }
  pthread_join(other, nullptr);
}

int main() { return heddle::explore_main(test); }
