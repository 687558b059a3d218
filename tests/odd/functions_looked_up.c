// odd: looks the functions of libc up in its library, and starts threads and takes locks by what it got
// expect: bug: `shared == 2` failed
// never: control is partial
// options: --strategy random --time 20 --executions 200
// build: -ldl
#include <assert.h>
#include <dlfcn.h>
#include <pthread.h>

static int (*create)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);
static int (*join)(pthread_t, void**);
static int (*lock)(pthread_mutex_t*);
static int (*unlock)(pthread_mutex_t*);

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int shared;

static void* work(void* unused) {
  lock(&mutex);
  const int seen = shared;
  unlock(&mutex);
  lock(&mutex);
  shared = seen + 1;
  unlock(&mutex);
  return unused;
}

int main(void) {
  void* libc = dlopen("libc.so.6", RTLD_LAZY);
  *(void**)&create = dlsym(libc, "pthread_create");
  *(void**)&join = dlsym(libc, "pthread_join");
  *(void**)&lock = dlsym(RTLD_NEXT, "pthread_mutex_lock");
  *(void**)&unlock = dlsym(RTLD_NEXT, "pthread_mutex_unlock");
  pthread_t thread[2];
  for (int i = 0; i < 2; ++i) create(&thread[i], NULL, work, NULL);
  for (int i = 0; i < 2; ++i) join(thread[i], NULL);
  assert(shared == 2);
  return 0;
}
