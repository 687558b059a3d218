// A thousand system calls by an instruction of the program's own, beside another thread.
#include <sys/syscall.h>

#include <thread>

int main() {
  std::thread other([] {});
  for (int i = 0; i < 1000; ++i) {
    long result = SYS_getpid;
    asm volatile("syscall" : "+a"(result) : : "rcx", "r11", "memory");
    if (result <= 0) return 1;
  }
  other.join();
  return 0;
}
