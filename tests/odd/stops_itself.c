// odd: it stops itself in every execution, past libc, and nothing continues it
// expect: nothing
// says: had to be ended
// says: it is stopped
// options: --time 3 --executions 3
#include <signal.h>
#include <sys/syscall.h>

#include "raw.h"
#include "two_threads.h"

int main(void) {
  run_two_threads();
  raw_call(SYS_kill, raw_call(SYS_getpid, 0, 0, 0, 0), SIGSTOP, 0, 0);
  return 0;
}
