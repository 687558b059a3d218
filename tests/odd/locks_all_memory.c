// odd: it locks all its memory, with a limit that has no room for what heddle reserves
// expect: nothing
// limit: memlock=67108864
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "two_threads.h"

static long locked_kilobytes(void) {
  char line[200];
  long kilobytes = -1;
  FILE* file = fopen("/proc/self/status", "r");
  while (file != NULL && fgets(line, sizeof line, file) != NULL)
    if (strncmp(line, "VmLck:", 6) == 0) kilobytes = atol(line + 6);
  if (file != NULL) fclose(file);
  return kilobytes;
}

int main(void) {
  if (mlockall(MCL_CURRENT | MCL_FUTURE) != 0) return 1;
  run_two_threads();
  free(malloc(1 << 20));
  if (locked_kilobytes() > 64 << 10) return 2;
  return munlockall();
}
