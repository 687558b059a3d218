// odd: it sleeps for an hour by a system call of its own
// expect: nothing
// says: had to be ended
// options: --time 2 --executions 2
#include <sys/syscall.h>
#include <time.h>

#include "raw.h"
#include "two_threads.h"

int main(void) {
  const struct timespec hour = {3600, 0};
  run_two_threads();
  while (raw_call(SYS_nanosleep, (long)&hour, 0, 0, 0) != 0) {
  }
  return 0;
}
