// odd: threads of OpenMP, which wait by system calls of the library's own, add up numbers in three ways
// expect: nothing
// never: control is partial
// build: -fopenmp
#include <omp.h>

int main(void) {
  int sum = 0;
#pragma omp parallel for num_threads(3) reduction(+ : sum)
  for (int i = 0; i < 30; ++i) sum += i;
#pragma omp parallel num_threads(3)
  {
#pragma omp critical
    sum += 1;
#pragma omp barrier
#pragma omp single
    sum += 10;
  }
#pragma omp parallel num_threads(2)
#pragma omp single
  for (int i = 0; i < 4; ++i) {
#pragma omp task
    {
#pragma omp atomic
      sum += 1;
    }
  }
  return sum == 452 ? 0 : 1;
}
