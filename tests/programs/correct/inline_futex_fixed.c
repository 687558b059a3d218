/* The same lock and condition, where the waiter notes the count of changes under the lock. */
// expect: passes
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/syscall.h>

static long futex(atomic_int* word, int operation, int value) {
  long result;
  register long no_timeout asm("r10") = 0;
  asm volatile("syscall"
               : "=a"(result)
               : "a"(SYS_futex), "D"(word), "S"(operation), "d"(value), "r"(no_timeout)
               : "rcx", "r11", "memory");
  return result;
}

static atomic_int lock;  // 0: free, 1: taken, 2: taken, and others may wait
static int is_ready;     // under the lock
static atomic_int changes;

static void take(void) {
  int seen = 0;
  if (atomic_compare_exchange_strong(&lock, &seen, 1)) return;
  while (atomic_exchange(&lock, 2) != 0) futex(&lock, FUTEX_WAIT_PRIVATE, 2);
}

static void give(void) {
  if (atomic_exchange(&lock, 0) == 2) futex(&lock, FUTEX_WAKE_PRIVATE, 1);
}

static void* notify(void* unused) {
  take();
  is_ready = 1;
  atomic_fetch_add(&changes, 1);
  give();
  futex(&changes, FUTEX_WAKE_PRIVATE, 1);
  return unused;
}

static void await(void) {
  for (;;) {
    take();
    const int done = is_ready;
    const int seen = atomic_load(&changes);
    give();
    if (done) return;
    sched_yield();
    futex(&changes, FUTEX_WAIT_PRIVATE, seen);
  }
}

int main(void) {
  pthread_t other;
  if (pthread_create(&other, NULL, notify, NULL) != 0) return 1;
  await();
  return pthread_join(other, NULL);
}
