// odd: it changes its group after it has started threads, which libc tells all of them
// expect: nothing
// options: --time 2 --executions 2
#include <unistd.h>

#include "two_threads.h"

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, meet, NULL);
  const int changed = setgid(getgid());
  pthread_join(thread, NULL);
  return changed;
}
