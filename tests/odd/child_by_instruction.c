// odd: a child is started by a system call that heddle does not see, and stays
// expect: nothing
#include <signal.h>
#include <sys/syscall.h>

#include "raw.h"
#include "two_threads.h"

int main(void) {
  run_two_threads();
  if (raw_call(SYS_fork, 0, 0, 0, 0) == 0)
    for (;;) raw_call(SYS_pause, 0, 0, 0, 0);
  return 0;
}
