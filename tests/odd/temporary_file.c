// odd: it makes a temporary file in each execution and is ended before it takes it away
// expect: nothing
// says: had to be ended
// options: --time 2 --executions 2
// leaves: half
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "raw.h"
#include "two_threads.h"

int main(void) {
  run_two_threads();
  close(open("half", O_CREAT | O_WRONLY, 0600));
  for (;;) raw_call(SYS_pause, 0, 0, 0, 0);
}
