// odd: it sends SIGTERM to its parent, as one does that was started by a script
// expect: nothing
#include <signal.h>
#include <unistd.h>

#include "two_threads.h"

int main(void) {
  run_two_threads();
  kill(getppid(), SIGTERM);
  return 0;
}
