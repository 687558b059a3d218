// odd: a child that stays holds all descriptors of the program, those of heddle among them
// expect: nothing
#include <unistd.h>

#include "two_threads.h"

int main(void) {
  run_two_threads();
  if (fork() != 0) return 0;
  setsid();
  for (;;) usleep(1000);
}
