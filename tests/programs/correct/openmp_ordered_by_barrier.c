/* One thread of OpenMP fills a table, and all use it behind a barrier. */
// expect: passes
#include <omp.h>
#include <sched.h>

int main(void) {
  int table = 0;
  int missed = 0;
#pragma omp parallel num_threads(2)
  {
#pragma omp single
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
