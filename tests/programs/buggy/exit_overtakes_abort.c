/* A thread reports that it gives up, and aborts, which the program's handler takes for the expected end. But `main`
   hears of it first, between the two, and ends the program with an error. */
// expect: verdict=exited message="exit code 3" executions<=1000
// expect: verdict=exited strategy=dfs executions<=10
// expect: verdict=exited strategy=dfs:reduce=1 executions<=10
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
  exit(3);
}
