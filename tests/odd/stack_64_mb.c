// odd: a thread asks for a stack of 64 MB and uses 48 of them
// expect: nothing
#include <pthread.h>
#include <string.h>

static int deep(int left) {
  volatile char frame[16384];
  memset((void*)frame, left, sizeof frame);
  return left == 0 ? 0 : deep(left - 1) + (frame[1] == (char)left ? 0 : 1);
}

static void* work(void* unused) {
  (void)unused;
  return (void*)(long)deep(48 * 64);
}

int main(void) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  if (pthread_attr_setstacksize(&attributes, 64u << 20) != 0) return 1;
  pthread_t thread[2];
  void* wrong = NULL;
  for (int i = 0; i < 2; ++i)
    if (pthread_create(&thread[i], &attributes, work, NULL) != 0) return 2;
  for (int i = 0; i < 2; ++i) {
    pthread_join(thread[i], &wrong);
    if (wrong != NULL) return 3;
  }
  return 0;
}
