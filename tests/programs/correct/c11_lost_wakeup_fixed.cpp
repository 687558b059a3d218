// With C11 threads: the flag is read and written under the mutex.
// expect: passes
// expect: passes strategy=dfs complete executions<=5000
#include <threads.h>

#include <heddle/heddle.hpp>

static mtx_t lock;
static cnd_t changed;
static bool ready;

static int announce(void*) {
  mtx_lock(&lock);
  ready = true;
  cnd_signal(&changed);
  mtx_unlock(&lock);
  return 0;
}

void test() {
  mtx_init(&lock, mtx_plain);
  cnd_init(&changed);
  ready = false;
  thrd_t announcer;
  thrd_create(&announcer, announce, nullptr);
  mtx_lock(&lock);
  while (!ready) cnd_wait(&changed, &lock);
  mtx_unlock(&lock);
  thrd_join(announcer, nullptr);
  cnd_destroy(&changed);
  mtx_destroy(&lock);
}

int main() { return heddle::explore_main(test); }
