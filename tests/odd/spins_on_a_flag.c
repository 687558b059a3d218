// odd: it spins on a flag that another thread sets, without a call between
// expect: nothing
// options: --time 4 --executions 2
#include "two_threads.h"

static volatile int flag;

static void* set(void* unused) {
  meet(unused);
  flag = 1;
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, set, NULL);
  while (!flag) {
  }
  pthread_join(thread, NULL);
  return 0;
}
