// odd: a program that reads the processor's clock starts others, which read the real one
// expect: nothing
#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
#include <x86intrin.h>

static void* other(void* unused) { return __rdtsc() != 0 ? unused : (void*)1; }

int main(int count, char** words) {
  if (count > 1) return __rdtsc() != 0 ? 0 : 1;
  pthread_t thread;
  pthread_create(&thread, 0, other, 0);
  pthread_join(thread, 0);
  if (system("true") != 0) return 1;
  const int child = fork();
  if (child == 0) {
    execl(words[0], words[0], "again", (char*)0);
    _exit(3);
  }
  int status = 0;
  return waitpid(child, &status, 0) == child && status == 0 ? 0 : 2;
}
