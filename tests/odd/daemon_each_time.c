// odd: each execution leaves a daemon in a session of its own
// expect: nothing
// options: --time 2 --executions 400
#include <unistd.h>

#include "two_threads.h"

int main(void) {
  run_two_threads();
  if (fork() != 0) return 0;
  if (daemon(1, 0) != 0) _exit(1);
  sleep(1000);
  _exit(0);
}
