// odd: values are queued to one thread, which takes them in order
// expect: nothing
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>

static void* take(void* unused) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGRTMIN);
  for (int expected = 1; expected <= 3; ++expected) {
    siginfo_t info;
    if (sigwaitinfo(&set, &info) != SIGRTMIN || info.si_value.sival_int != expected) abort();
  }
  return unused;
}

int main(void) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGRTMIN);
  pthread_sigmask(SIG_BLOCK, &set, NULL);
  pthread_t thread;
  pthread_create(&thread, NULL, take, NULL);
  for (int i = 1; i <= 3; ++i)
    if (pthread_sigqueue(thread, SIGRTMIN, (union sigval){.sival_int = i}) != 0) abort();
  pthread_join(thread, NULL);
  return 0;
}
