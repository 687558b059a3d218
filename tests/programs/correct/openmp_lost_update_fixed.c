/* Threads of OpenMP add up what each has found, in one critical section each, and then by a reduction. */
// expect: passes
#include <omp.h>
#include <sched.h>

int main(void) {
  int sum = 0;
#pragma omp parallel num_threads(3)
  {
    sched_yield();
#pragma omp critical
    sum += omp_get_thread_num() + 1;
  }
#pragma omp parallel for num_threads(2) reduction(+ : sum)
  for (int i = 0; i < 10; ++i) sum += i;
  return sum == 51 ? 0 : 1;
}
