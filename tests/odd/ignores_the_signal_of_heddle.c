// odd: it sets every real-time signal to its default action, which is to end, past libc, and spins
// expect: nothing
// says: had to be ended
// options: --time 2 --executions 2
#include <signal.h>
#include <sys/syscall.h>

#include "raw.h"
#include "two_threads.h"

int main(void) {
  long none[4] = {0, 0, 0, 0};
  run_two_threads();
  for (int signal = 34; signal <= 64; ++signal) raw_call(SYS_rt_sigaction, signal, (long)none, 0, 8);
  for (volatile int i = 0;; ++i) {
  }
}
