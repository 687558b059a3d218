// odd: an execution computes for longer than the whole run may take
// expect: nothing
// says: had to be ended
// options: --time 1
#include "two_threads.h"

int main(void) {
  volatile unsigned long work = 0;
  run_two_threads();
  for (unsigned long i = 0; i < 100000000000; ++i) work += i;
  return 0;
}
