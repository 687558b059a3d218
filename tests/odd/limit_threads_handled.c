// odd: the program starts threads until it gets no more, as where addresses are limited, and ends well
// expect: nothing
// limit: as=600000000
#include <pthread.h>

static void* work(void* nothing) { return nothing; }

int main(void) {
  static pthread_t threads[200];
  int count = 0;
  while (count < 200 && pthread_create(&threads[count], 0, work, 0) == 0) ++count;
  for (int i = 0; i < count; ++i) pthread_join(threads[i], 0);
  return 0;
}
