// The lock is given back before the thread is joined; the destructor of the key has run when the join comes back.
// expect: passes
// expect: passes strategy=dfs complete executions<=20
#include <pthread.h>

#include <cassert>
#include <mutex>
#include <thread>

#include <heddle/heddle.hpp>

std::mutex registry;
int left;

void leave(void*) {
  const std::lock_guard guard(registry);
  ++left;
}

void test() {
  left = 0;
  pthread_key_t key;
  pthread_key_create(&key, leave);
  std::thread worker([=] { pthread_setspecific(key, &registry); });
  { const std::lock_guard guard(registry); }
  worker.join();
  assert(left == 1);
  pthread_key_delete(key);
}

int main() { return heddle::explore_main(test); }
