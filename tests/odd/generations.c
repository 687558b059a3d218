// odd: a child starts a child and ends, and so on for ever: no process is there for long
// expect: nothing
// options: --time 1 --executions 5
#include <unistd.h>

#include "two_threads.h"

int main(void) {
  run_two_threads();
  if (fork() != 0) return 0;
  for (;;)
    if (fork() != 0) _exit(0);
}
