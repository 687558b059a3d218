// odd: the group changes while other threads exist; libc would signal each of them and wait for its answer
// expect: nothing
#define _GNU_SOURCE
#include <grp.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <unistd.h>

static sem_t go;

static void* look(void* group) {
  sem_wait(&go);
  if (getgid() != (gid_t)(long)group) abort();
  return NULL;
}

int main(void) {
  const gid_t wanted = getuid() == 0 ? 4242 : getgid();
  sem_init(&go, 0, 0);
  pthread_t thread[3];
  for (int i = 0; i < 3; ++i) pthread_create(&thread[i], NULL, look, (void*)(long)wanted);
  if (setgid(wanted) != 0) abort();
  if (getuid() == 0 && setgroups(1, &wanted) != 0) abort();
  for (int i = 0; i < 3; ++i) sem_post(&go);
  for (int i = 0; i < 3; ++i) pthread_join(thread[i], NULL);
  return 0;
}
