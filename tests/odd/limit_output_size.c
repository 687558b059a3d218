// odd: the program writes more to its output than a file may hold; without heddle that is no file
// expect: refused: the limit of the size of a file is 976 KB (ulimit -f) exit=4
// limit: fsize=1000000
#include <pthread.h>
#include <string.h>
#include <unistd.h>

static void* work(void* nothing) {
  char text[4096];
  memset(text, 'x', sizeof text);
  for (int i = 0; i < 500; ++i)
    if (write(1, text, sizeof text) < 0) return nothing;
  return nothing;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, work, 0);
  pthread_join(thread, 0);
  return 0;
}
