// odd: the program starts more threads than their stacks have room where addresses are limited, and fails
// expect: refused: (ulimit -v) exit=4
// limit: as=600000000
#include <pthread.h>
#include <stdlib.h>

static void* work(void* nothing) { return nothing; }

int main(void) {
  static pthread_t threads[200];
  for (int i = 0; i < 200; ++i)
    if (pthread_create(&threads[i], 0, work, 0) != 0) abort();
  for (int i = 0; i < 200; ++i) pthread_join(threads[i], 0);
  return 0;
}
