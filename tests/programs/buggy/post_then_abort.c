/* A thread reports that it gives up, and aborts, while `main` ends the program in peace when it hears of it. */
// expect: verdict=aborted message="abort was called"
// expect: verdict=aborted strategy=dfs executions<=3
// expect: verdict=aborted strategy=dfs:reduce=1 executions<=3
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>
#include <stdlib.h>

static sem_t gave_up;

static void* give_up(void* unused) {
  sem_post(&gave_up);
  abort();
  return unused;
}

int main(void) {
  pthread_t worker;
  sem_init(&gave_up, 0, 0);
  if (pthread_create(&worker, NULL, give_up, NULL) != 0) return 1;
  sem_wait(&gave_up);
  exit(0);
}
