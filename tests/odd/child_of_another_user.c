// odd: a child changes its user, which clears the signal that it would get when its parent ends
// expect: nothing
#include <sys/prctl.h>
#include <unistd.h>

#include "two_threads.h"

int main(void) {
  if (fork() == 0) {
    if (setuid(getuid() == 0 ? 65534 : getuid()) != 0) _exit(1);
    prctl(PR_SET_PDEATHSIG, 0);
    for (;;) pause();
  }
  run_two_threads();
  return 0;
}
