/* `main` calls exit while a thread runs that was configured before it started. */
// expect: passes
// expect: passes strategy=dfs complete
// expect: passes strategy=dfs:reduce=1 complete
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
  pthread_mutex_lock(&lock);
  is_configured = 1;
  pthread_mutex_unlock(&lock);
  if (pthread_create(&server, NULL, serve, NULL) != 0) return 1;
  pthread_detach(server);
  exit(0);
}
