// odd: each execution leaves thirty processes in a chain of parents
// expect: nothing
// options: --time 2 --executions 5
#include <unistd.h>

#include "two_threads.h"

int main(void) {
  run_two_threads();
  for (int depth = 0; depth < 30; ++depth)
    if (fork() != 0) {
      if (depth == 0) return 0;
      for (;;) pause();
    }
  for (;;) pause();
}
