// odd: a thread with a small stack of its own choice recurses beyond it, and would not with the usual size
// expect: bug: stack overflow: T1 needs more than 128 KiB
#include <pthread.h>
#include <string.h>

static int deep(int left) {
  volatile char frame[4096];
  memset((void*)frame, left, sizeof frame);
  return left == 0 ? frame[0] : deep(left - 1) + frame[1];
}

static void* work(void* unused) {
  (void)unused;
  return (void*)(long)deep(300);  // more than a megabyte
}

int main(void) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, 128 * 1024);
  pthread_t thread;
  pthread_create(&thread, &attributes, work, NULL);
  pthread_join(thread, NULL);
  return 0;
}
