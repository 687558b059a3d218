// odd: threads learn each other's kernel ids and signal one of them by its id
// expect: nothing
#define _GNU_SOURCE
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

static sem_t ready, handled;
static pid_t id[2];

static void note(int signal) {
  (void)signal;
  if (gettid() != id[1]) abort();
  sem_post(&handled);
}

static void* work(void* number) {
  id[(long)number] = gettid();
  sem_post(&ready);
  if ((long)number == 1) sem_wait(&handled);
  return NULL;
}

int main(void) {
  sem_init(&ready, 0, 0);
  sem_init(&handled, 0, 0);
  struct sigaction action = {.sa_handler = note, .sa_flags = SA_RESTART};
  sigaction(SIGUSR1, &action, NULL);
  pthread_t thread[2];
  for (long i = 0; i < 2; ++i) pthread_create(&thread[i], NULL, work, (void*)i);
  sem_wait(&ready);
  sem_wait(&ready);
  if (id[0] == id[1] || id[0] == gettid() || gettid() != getpid()) abort();
  if (syscall(SYS_tgkill, getpid(), id[1], SIGUSR1) != 0) abort();
  for (int i = 0; i < 2; ++i) pthread_join(thread[i], NULL);
  return 0;
}
