// odd: it starts a daemon in each execution and then fails
// expect: bug: exit code 9
#include <unistd.h>

#include "two_threads.h"

int main(void) {
  run_two_threads();
  if (fork() == 0) {
    setsid();
    for (;;) pause();
  }
  return 9;
}
