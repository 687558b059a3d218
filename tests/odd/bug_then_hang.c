// odd: some executions fail, and others never end: what was found is told
// expect: bug: exit code 7
// options: --time 4 --keep-going
#include <stdlib.h>
#include <sys/syscall.h>

#include "raw.h"
#include "two_threads.h"

static int first;

static void* run(void* name) {
  pthread_mutex_lock(&meeting);
  if (first == 0) first = *(int*)name;
  pthread_mutex_unlock(&meeting);
  return NULL;
}

int main(void) {
  int names[2] = {1, 2};
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, run, &names[i]);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  if (first == 2) exit(7);
  for (;;) raw_call(SYS_pause, 0, 0, 0, 0);
}
