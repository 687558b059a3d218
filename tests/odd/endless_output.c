// odd: it writes without end
// expect: nothing
// says: had to be ended
// options: --time 1
#include <sys/syscall.h>
#include <unistd.h>

#include "raw.h"
#include "two_threads.h"

int main(void) {
  run_two_threads();
  for (;;) {
    raw_call(SYS_write, 1, (long)"x", 1, 0);
    raw_call(SYS_ftruncate, 1, 0, 0, 0);
  }
}
