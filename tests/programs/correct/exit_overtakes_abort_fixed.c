/* A thread reports that it gives up, and aborts, which the program's handler takes for the expected end; `main` hears
   of it and waits for that end. */
// expect: passes
// expect: passes strategy=dfs complete
// expect: passes strategy=dfs:reduce=1 complete
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <unistd.h>

static sem_t gave_up;

static void end_as_expected(int unused) {
  (void)unused;
  _exit(0);
}

static void* give_up(void* unused) {
  sem_post(&gave_up);
  abort();
  return unused;
}

int main(void) {
  pthread_t worker;
  signal(SIGABRT, end_as_expected);
  sem_init(&gave_up, 0, 0);
  if (pthread_create(&worker, NULL, give_up, NULL) != 0) return 1;
  sem_wait(&gave_up);
  pthread_join(worker, NULL);
  exit(3);
}
