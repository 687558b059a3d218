// The part that is instrumented, for the test of how much of a program is.
#include <pthread.h>

int total = 0;

int add(int value);  // in untold.cpp

__attribute__((noinline)) int twice(int value) { return value + value; }  // nothing to tell
__attribute__((noinline)) void count(int value) { total += value; }

void* work(void*) {
  count(add(twice(1)));
  return nullptr;
}

int main() {
  pthread_t thread;
  pthread_create(&thread, nullptr, work, nullptr);
  pthread_join(thread, nullptr);
  return total == 0;
}
