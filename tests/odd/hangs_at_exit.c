// odd: a handler that runs at exit never returns
// expect: nothing
// says: had to be ended
// options: --time 2 --executions 2
#include <stdlib.h>
#include <sys/syscall.h>

#include "raw.h"
#include "two_threads.h"

static void stay(void) {
  for (;;) raw_call(SYS_pause, 0, 0, 0, 0);
}

int main(void) {
  atexit(stay);
  run_two_threads();
  return 0;
}
