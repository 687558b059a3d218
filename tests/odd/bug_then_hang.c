// odd: some executions fail, and others never end: what was found is told
// expect: bug: exit code 7
// options: --time 4 --keep-going
#include <stdlib.h>
#include <sys/syscall.h>

#include "raw.h"
#include "two_threads.h"

enum { THREADS = 5 };

static int first;

static void* run(void* name) {
  pthread_mutex_lock(&meeting);
  if (first == 0) first = *(int*)name;
  pthread_mutex_unlock(&meeting);
  return NULL;
}

int main(void) {
  int names[THREADS];
  pthread_t threads[THREADS];
  for (int i = 0; i < THREADS; ++i) names[i] = i + 1;
  for (int i = 0; i < THREADS; ++i) pthread_create(&threads[i], NULL, run, &names[i]);
  for (int i = 0; i < THREADS; ++i) pthread_join(threads[i], NULL);
  if (first <= 3) exit(7);
  for (;;) raw_call(SYS_pause, 0, 0, 0, 0);
}
