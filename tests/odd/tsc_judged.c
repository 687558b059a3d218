// odd: a program that reads the processor's clock, and a command that judges its output, which may read it too
// expect: nothing
// options: --time 2 --executions 20 --oracle true
#include <stdio.h>
#include <x86intrin.h>

#include "two_threads.h"

int main(void) {
  run_two_threads();
  puts("judge this");
  return __rdtsc() != 0 ? 0 : 1;
}
