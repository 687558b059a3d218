// odd: it handles every signal that can be handled, as libc lets it, and spins on a flag that no thread sets
// expect: nothing
// says: had to be ended
// options: --time 2 --executions 2
#include <signal.h>

#include "two_threads.h"

static volatile int flag;

static void handle(int signal) { (void)signal; }

int main(void) {
  for (int number = 1; number < 65; ++number) signal(number, handle);
  run_two_threads();
  while (!flag) {
  }
  return 0;
}
