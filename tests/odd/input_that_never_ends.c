// odd: its standard input is a pipe that nobody writes to or closes
// expect: nothing
// options: --time 2 --executions 10
// input: open
// says: stayed open and silent
#include <stdio.h>

#include "two_threads.h"

int main(void) {
  run_two_threads();
  return getchar() == EOF ? 0 : 1;
}
