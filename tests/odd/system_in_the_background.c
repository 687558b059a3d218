// odd: `system` starts a job in the background that outlives the shell
// expect: nothing
#include <stdlib.h>

#include "two_threads.h"

int main(void) {
  run_two_threads();
  return system("sleep 1000 >/dev/null 2>&1 &");
}
