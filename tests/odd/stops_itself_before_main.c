// odd: it stops itself before main
// expect: refused: did not come to `main` within the time
// options: --time 1
#include <signal.h>
#include <sys/syscall.h>

#include "raw.h"

__attribute__((constructor)) static void stop(void) {
  raw_call(SYS_kill, raw_call(SYS_getpid, 0, 0, 0, 0), SIGSTOP, 0, 0);
}

int main(void) { return 0; }
