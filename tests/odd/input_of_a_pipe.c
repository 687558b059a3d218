// odd: every execution reads the same pipe to its end
// expect: nothing
// input: hello
#include <stdio.h>
#include <string.h>

#include "two_threads.h"

int main(void) {
  char line[10] = "";
  run_two_threads();
  return fgets(line, sizeof line, stdin) != NULL && strcmp(line, "hello") == 0 ? 0 : 1;
}
