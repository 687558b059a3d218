// odd: the attributes of a thread say which signals it blocks
// expect: nothing
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>

static void* look(void* unused) {
  sigset_t found;
  pthread_sigmask(SIG_BLOCK, NULL, &found);
  if (!sigismember(&found, SIGUSR1) || sigismember(&found, SIGUSR2)) abort();
  return unused;
}

int main(void) {
  pthread_attr_t attributes;
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  pthread_attr_init(&attributes);
  if (pthread_attr_setsigmask_np(&attributes, &set) != 0) abort();
  pthread_t thread;
  pthread_create(&thread, &attributes, look, NULL);
  pthread_join(thread, NULL);
  return 0;
}
