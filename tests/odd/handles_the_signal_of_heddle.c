// odd: it handles the signal with which heddle pokes a program, past libc, and spins
// expect: nothing
// says: had to be ended
// options: --time 2 --executions 2
#include <signal.h>
#include <sys/syscall.h>

#include "raw.h"
#include "two_threads.h"

struct kernel_action {
  void (*handler)(int);
  unsigned long flags;
  void (*restorer)(void);
  unsigned long mask;
};

static void handle(int signal) { (void)signal; }

__attribute__((naked)) static void restore(void) { __asm__ volatile("mov $15, %eax\n\tsyscall"); }

int main(void) {
  struct kernel_action action = {handle, 0x04000000, restore, 0};
  run_two_threads();
  for (int signal = 34; signal <= 64; ++signal) raw_call(SYS_rt_sigaction, signal, (long)&action, 0, 8);
  for (volatile int i = 0;; ++i) {
  }
}
