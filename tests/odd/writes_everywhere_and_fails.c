// odd: the program writes rubbish to every descriptor above 2, and fails in one order of its threads
// expect: bug: exit code 9
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
  for (int descriptor = 3; descriptor < 4096; ++descriptor)
    if (write(descriptor, "failure 1 1 7 7 7\n", 18) < 0) continue;
  pthread_t one, two;
  pthread_create(&one, 0, work, (void*)1);
  pthread_create(&two, 0, work, (void*)2);
  pthread_join(one, 0);
  pthread_join(two, 0);
  return last == 1 ? 9 : 0;
}
