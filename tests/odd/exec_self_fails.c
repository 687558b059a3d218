// odd: the program executes itself again, and the second one ends with 5
// expect: bug: exit code 5
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static void* work(void* nothing) { return nothing; }

int main(int count, char** words) {
  if (count > 1) return 5;
  pthread_t thread;
  pthread_create(&thread, 0, work, 0);
  pthread_join(thread, 0);
  char* again[] = {words[0], "again", 0};
  execv("/proc/self/exe", again);
  return 3;
}
