// odd: the program executes another that does not exist, and goes on
// expect: nothing
#include <errno.h>
#include <pthread.h>
#include <unistd.h>

static void* work(void* nothing) {
  char* words[] = {"/no/such/program", 0};
  execv(words[0], words);
  return errno == ENOENT ? nothing : &errno;
}

int main(void) {
  pthread_t one, two;
  void* result = 0;
  pthread_create(&one, 0, work, 0);
  pthread_create(&two, 0, work, 0);
  pthread_join(one, &result);
  pthread_join(two, 0);
  return result == 0 ? 0 : 1;
}
