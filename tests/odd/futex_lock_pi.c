// odd: a lock that the kernel hands from owner to owner, by system calls of the program's own
// expect: nothing
#define _GNU_SOURCE
#include <linux/futex.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

static _Atomic uint32_t word = 0;
static int sum = 0;

static void lock(void) {
  uint32_t nobody = 0;
  if (__atomic_compare_exchange_n((uint32_t*)&word, &nobody, (uint32_t)gettid(), 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
    return;
  if (syscall(SYS_futex, &word, FUTEX_LOCK_PI, 0, NULL, NULL, 0) != 0) abort();
}

static void unlock(void) {
  uint32_t mine = (uint32_t)gettid();
  if (__atomic_compare_exchange_n((uint32_t*)&word, &mine, 0, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) return;
  if (syscall(SYS_futex, &word, FUTEX_UNLOCK_PI, 0, NULL, NULL, 0) != 0) abort();
}

static void* add(void* unused) {
  for (int i = 0; i < 2; ++i) {
    lock();
    const int before = sum;
    sched_yield();
    sum = before + 1;
    unlock();
  }
  return unused;
}

int main(void) {
  pthread_t thread[3];
  for (int i = 0; i < 3; ++i) pthread_create(&thread[i], NULL, add, NULL);
  for (int i = 0; i < 3; ++i) pthread_join(thread[i], NULL);
  return sum == 6 && word == 0 ? 0 : 1;
}
