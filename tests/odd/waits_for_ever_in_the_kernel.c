// odd: it opens a FIFO that nobody writes to, a call that heddle does not know
// expect: nothing
// says: had to be ended
// options: --time 2 --executions 2
// leaves: fifo
#include <fcntl.h>
#include <sys/stat.h>

#include "two_threads.h"

int main(void) {
  run_two_threads();
  mkfifo("fifo", 0600);
  return open("fifo", O_RDONLY) < 0;
}
