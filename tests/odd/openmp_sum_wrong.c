// odd: threads of OpenMP, which wait by system calls of the library's own, lose an update
// expect: bug: ended with exit code 1
// build: -fopenmp
#include <omp.h>
#include <sched.h>

int main(void) {
  volatile int sum = 0;
#pragma omp parallel num_threads(3)
  {
    const int before = sum;
    sched_yield();
    sum = before + 1;
  }
  return sum == 3 ? 0 : 1;
}
