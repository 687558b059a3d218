// odd: each execution starts another program in the background and does not wait for it
// expect: nothing
#include <unistd.h>

#include "two_threads.h"

int main(void) {
  run_two_threads();
  if (fork() == 0) {
    setsid();
    execl("/bin/sh", "sh", "-c", "sleep 1000 & sleep 1000", (char*)NULL);
    _exit(127);
  }
  return 0;
}
