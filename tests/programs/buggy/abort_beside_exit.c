/* `main` calls exit before the thread that it started is configured: that thread may still come to its abort. */
// expect: verdict=aborted message="abort was called"
// expect: verdict=aborted strategy=dfs executions<=50
// expect: verdict=aborted strategy=dfs:reduce=1 executions<=50
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int is_configured;

static void* serve(void* unused) {
  pthread_mutex_lock(&lock);
  const int can_serve = is_configured;
  pthread_mutex_unlock(&lock);
  if (!can_serve) abort();
  return unused;
}

int main(void) {
  pthread_t server;
  if (pthread_create(&server, NULL, serve, NULL) != 0) return 1;
  pthread_detach(server);
  pthread_mutex_lock(&lock);
  is_configured = 1;
  pthread_mutex_unlock(&lock);
  exit(0);
}
