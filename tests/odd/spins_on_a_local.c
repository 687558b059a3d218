// odd: it spins on a local that nothing changes
// expect: nothing
// says: had to be ended
// says: computes without coming to a scheduling point
// options: --time 3 --executions 3
#include "two_threads.h"

int main(void) {
  volatile int flag = 0;
  run_two_threads();
  while (!flag) {
  }
  return 0;
}
