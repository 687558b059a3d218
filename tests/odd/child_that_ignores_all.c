// odd: a child ignores every signal that can be ignored, and stays
// expect: nothing
#include <signal.h>
#include <unistd.h>

#include "two_threads.h"

int main(void) {
  if (fork() == 0) {
    for (int number = 1; number < 65; ++number) signal(number, SIG_IGN);
    for (;;) pause();
  }
  run_two_threads();
  return 0;
}
