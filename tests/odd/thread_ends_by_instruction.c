// odd: a thread ends by a system call of its own, so libc does not know that it has
// expect: nothing
// options: --time 2 --executions 2
#include <sys/syscall.h>
#include <unistd.h>

#include "raw.h"
#include "two_threads.h"

static void* end(void* unused) {
  raw_call(SYS_exit, 0, 0, 0, 0);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, end, NULL);
  pthread_join(thread, NULL);
  return 0;
}
