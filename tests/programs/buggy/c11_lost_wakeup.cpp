// With C11 threads: the flag is looked at without its mutex, so the signal can come before the wait.
// expect: verdict=lost-wakeup message="T0 waits for c1, which T1 signalled at step \d+, before T0 waited"
#include <threads.h>

#include <heddle/heddle.hpp>

static mtx_t lock;
static cnd_t changed;
static bool ready;

static int announce(void*) {
  ready = true;
  cnd_signal(&changed);
  return 0;
}

void test() {
  mtx_init(&lock, mtx_plain);
  cnd_init(&changed);
  ready = false;
  thrd_t announcer;
  thrd_create(&announcer, announce, nullptr);
  if (!ready) {
    mtx_lock(&lock);
    cnd_wait(&changed, &lock);
    mtx_unlock(&lock);
  }
  thrd_join(announcer, nullptr);
  cnd_destroy(&changed);
  mtx_destroy(&lock);
}

int main() { return heddle::explore_main(test); }
