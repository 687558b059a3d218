// odd: a thread gives up the rights of the whole process, and every other thread has lost them
// expect: nothing
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static void* give_up(void* unused) {
  (void)unused;
  if (setresuid(getuid() == 0 ? 4242 : getuid(), (uid_t)-1, (uid_t)-1) != 0) abort();
  if (setuid(getuid()) != 0 && errno != EPERM) abort();
  return NULL;
}

int main(void) {
  const uid_t before = getuid();
  pthread_t thread;
  pthread_create(&thread, NULL, give_up, NULL);
  pthread_join(thread, NULL);
  if (before == 0 && getuid() != 4242) return 1;
  return 0;
}
