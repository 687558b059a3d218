/* One thread of OpenMP fills a table and others use it, with no barrier between: only the schedule orders them. */
// expect: verdict=exited message="the program ended with exit code 1"
#include <omp.h>
#include <sched.h>

int main(void) {
  int table = 0;
  int missed = 0;
#pragma omp parallel num_threads(2)
  {
#pragma omp single nowait
    {
      sched_yield();
#pragma omp critical
      table = 1;
    }
#pragma omp critical
    if (table == 0) missed = 1;
  }
  return missed;
}
