// odd: a library that calls the kernel by itself is loaded by dlopen, and its threads lose an update
// expect: bug: ended with exit code 1
#include <dlfcn.h>
#include <sched.h>

static volatile int count;

static void add(void* unused) {
  (void)unused;
  const int before = count;
  sched_yield();
  count = before + 1;
}

int main(void) {
  void* const library = dlopen("libgomp.so.1", RTLD_NOW);
  if (library == 0) return 2;
  void (*parallel)(void (*)(void*), void*, unsigned, unsigned);
  *(void**)&parallel = dlsym(library, "GOMP_parallel");
  parallel(add, 0, 3, 0);
  return count == 3 ? 0 : 1;
}
