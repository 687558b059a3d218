// odd: a child stops itself and stays
// expect: nothing
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "raw.h"
#include "two_threads.h"

int main(void) {
  if (fork() == 0) {
    raw_call(SYS_kill, getpid(), SIGSTOP, 0, 0);
    _exit(0);
  }
  run_two_threads();
  return 0;
}
