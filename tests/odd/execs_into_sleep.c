// odd: it becomes another program, which never ends
// expect: nothing
// says: had to be ended
// options: --time 2 --executions 2
#include <unistd.h>

#include "two_threads.h"

int main(void) {
  run_two_threads();
  execl("/bin/sleep", "sleep", "1000", (char*)NULL);
  return 1;
}
