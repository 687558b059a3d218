// odd: handlers around fork lock and unlock, and the child uses the lock
// expect: nothing
#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void before(void) { pthread_mutex_lock(&lock); }
static void after(void) { pthread_mutex_unlock(&lock); }

static void* work(void* unused) {
  pthread_mutex_lock(&lock);
  pthread_mutex_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_atfork(before, after, after);
  pthread_t thread;
  pthread_create(&thread, NULL, work, NULL);
  const pid_t child = fork();
  if (child == 0) {
    pthread_mutex_lock(&lock);
    _exit(5);
  }
  int status = 0;
  if (waitpid(child, &status, 0) != child || WEXITSTATUS(status) != 5) abort();
  pthread_join(thread, NULL);
  return 0;
}
