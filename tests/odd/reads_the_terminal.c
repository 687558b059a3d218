// odd: it opens the terminal, if there is one, and reads from it
// expect: nothing
// options: --time 2 --executions 2
#include <fcntl.h>
#include <unistd.h>

#include "two_threads.h"

int main(void) {
  char byte;
  run_two_threads();
  const int terminal = open("/dev/tty", O_RDONLY | O_NONBLOCK);
  if (terminal >= 0 && read(terminal, &byte, 1) < 0) return 0;
  return 0;
}
