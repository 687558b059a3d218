// odd: a program that calls the functions by the names that older libraries use
// expect: bug: deadlock
#include <pthread.h>
#include <time.h>

int __pthread_mutex_lock(pthread_mutex_t*);
int __pthread_mutex_unlock(pthread_mutex_t*);
int __nanosleep(const struct timespec*, struct timespec*);
__asm__(".symver __pthread_mutex_lock, __pthread_mutex_lock@GLIBC_2.2.5");
__asm__(".symver __pthread_mutex_unlock, __pthread_mutex_unlock@GLIBC_2.2.5");

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;

static void both(pthread_mutex_t* first, pthread_mutex_t* second) {
  __pthread_mutex_lock(first);
  __pthread_mutex_lock(second);
  __pthread_mutex_unlock(second);
  __pthread_mutex_unlock(first);
}

static void* work(void* unused) {
  both(&b, &a);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, work, NULL);
  __nanosleep(&(struct timespec){0, 1000}, NULL);
  both(&a, &b);
  pthread_join(thread, NULL);
  return 0;
}
