// odd: the program closes every descriptor, the standard ones too, and then fails
// expect: bug: exit code 9
#define _GNU_SOURCE
#include <pthread.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int last;

static void* work(void* number) {
  pthread_mutex_lock(&lock);
  last = (int)(long)number;
  pthread_mutex_unlock(&lock);
  return 0;
}

int main(void) {
  closefrom(0);
  pthread_t one, two;
  pthread_create(&one, 0, work, (void*)1);
  pthread_create(&two, 0, work, (void*)2);
  pthread_join(one, 0);
  pthread_join(two, 0);
  return last == 1 ? 9 : 0;
}
