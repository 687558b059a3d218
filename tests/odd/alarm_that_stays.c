// odd: it arms a timer of the kernel, past libc, whose signal would end it, and ends before
// expect: nothing
#include <sys/syscall.h>

#include "raw.h"
#include "two_threads.h"

int main(void) {
  raw_call(SYS_alarm, 100, 0, 0, 0);
  run_two_threads();
  return 0;
}
