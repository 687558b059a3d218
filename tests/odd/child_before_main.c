// odd: a child is started before main, and stays
// expect: nothing
#include <unistd.h>

#include "two_threads.h"

__attribute__((constructor)) static void start(void) {
  if (fork() != 0) return;
  for (;;) pause();
}

int main(void) {
  run_two_threads();
  return 0;
}
