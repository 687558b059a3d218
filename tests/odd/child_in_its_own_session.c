// odd: a child leaves the session and the group, and stays
// expect: nothing
#include <unistd.h>

#include "two_threads.h"

int main(void) {
  if (fork() == 0) {
    setsid();
    setpgid(0, 0);
    for (;;) pause();
  }
  run_two_threads();
  return 0;
}
