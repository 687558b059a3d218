// odd: it blocks every signal, past libc, and spins
// expect: nothing
// says: had to be ended
// options: --time 2 --executions 2
#include <signal.h>
#include <sys/syscall.h>

#include "raw.h"
#include "two_threads.h"

int main(void) {
  unsigned long all = ~0ul;
  run_two_threads();
  raw_call(SYS_rt_sigprocmask, SIG_SETMASK, (long)&all, 0, sizeof all);
  for (volatile int i = 0;; ++i) {
  }
}
