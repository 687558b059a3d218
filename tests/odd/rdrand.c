// odd: the program draws a random number from the processor, and does not go by it
// expect: nothing
// says: may not be repeatable: rdrand has rdrand or rdseed at rdrand.c:
#include <pthread.h>

static void* other(void* unused) {
  unsigned long long number = 0;
  unsigned char is_there = 0;
  asm volatile("rdrand %0\n\tsetc %1" : "+r"(number), "+r"(is_there));
  return is_there <= 1 ? unused : (void*)1;
}

int main(void) {
  pthread_t thread;
  void* result;
  pthread_create(&thread, 0, other, 0);
  pthread_join(thread, &result);
  return result == 0 ? 0 : 1;
}
