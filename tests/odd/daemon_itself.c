// odd: the program becomes a daemon: its first process ends, and a copy goes on
// expect: nothing
#include <unistd.h>

#include "two_threads.h"

int main(void) {
  if (daemon(1, 1) != 0) return 1;
  run_two_threads();
  sleep(1000);
  return 0;
}
