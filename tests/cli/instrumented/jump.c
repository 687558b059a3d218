/* Threads that leave two functions by a jump, and race afterwards: in the function that was jumped to, or, with an
   argument, in one that it calls then. */
#include <pthread.h>
#include <setjmp.h>

int counter = 0;
int calls = 0;

__attribute__((noinline)) static void leave(jmp_buf back) { longjmp(back, 1); }
__attribute__((noinline)) static void leave_from_below(jmp_buf back) {
  leave(back);
  __asm__ volatile("");
}
__attribute__((noinline)) static void touch(void) {
  volatile char large[512]; /* its stack ends lower than those of the functions that were left */
  large[0] = 0;
  ++counter;
}

static void* work(void* unused) {
  jmp_buf back;
  if (setjmp(back) == 0) leave_from_below(back);
  if (calls)
    touch();
  else
    ++counter;
  return unused;
}

int main(int words, char** unused) {
  pthread_t one;
  pthread_t two;
  (void)unused;
  calls = words > 1;
  pthread_create(&one, 0, work, 0);
  pthread_create(&two, 0, work, 0);
  pthread_join(one, 0);
  pthread_join(two, 0);
  return 0;
}
