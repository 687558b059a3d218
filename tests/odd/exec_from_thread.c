// odd: one thread becomes another program, while the other still works
// expect: nothing
#include <pthread.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void* become(void* nothing) {
  execl("/bin/true", "true", (char*)0);
  return nothing;
}

static void* work(void* nothing) {
  for (int i = 0; i < 5; ++i) {
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
  }
  return nothing;
}

int main(void) {
  pthread_t one, two;
  pthread_create(&one, 0, become, 0);
  pthread_create(&two, 0, work, 0);
  pthread_join(one, 0);
  pthread_join(two, 0);
  return 1;  // never reached
}
