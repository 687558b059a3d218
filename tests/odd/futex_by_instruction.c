// odd: a thread waits for a futex by a system call of its own, and no thread wakes it
// expect: nothing
// says: had to be ended
// options: --time 2 --executions 2
#include <linux/futex.h>
#include <sys/syscall.h>

#include "raw.h"
#include "two_threads.h"

static int word;

int main(void) {
  run_two_threads();
  raw_call(SYS_futex, (long)&word, FUTEX_WAIT, 0, 0);
  return 0;
}
