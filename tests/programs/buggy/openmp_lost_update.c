/* Threads of OpenMP add up what each has found: they read the sum in one critical section and write it in another. */
// expect: verdict=exited message="the program ended with exit code 1"
#include <omp.h>
#include <sched.h>

int main(void) {
  int sum = 0;
#pragma omp parallel num_threads(3)
  {
    int before;
#pragma omp critical
    before = sum;
    sched_yield();
#pragma omp critical
    sum = before + omp_get_thread_num() + 1;
  }
  return sum == 6 ? 0 : 1;
}
