// odd: it starts processes as fast as it can, within a limit of sixty
// expect: nothing
// options: --time 1 --executions 2
#include <stdatomic.h>
#include <sys/mman.h>
#include <unistd.h>

#include "two_threads.h"

int main(void) {
  atomic_int* living = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  run_two_threads();
  if (fork() != 0) return 0;
  for (;;) {
    if (atomic_fetch_add(living, 1) > 60) {
      atomic_fetch_sub(living, 1);
      usleep(1000);
    } else if (fork() < 0) {
      atomic_fetch_sub(living, 1);
    }
  }
}
