// odd: a leaf function keeps values below its stack pointer, in all registers and in a vector across a call of its own
// expect: nothing
#include <pthread.h>
#include <sys/syscall.h>

/// Returns 0 if all was kept; the call lets other threads run.
long keeps_all(void);
asm("keeps_all:\n\t"
    "pushq %rbx\n\tpushq %r12\n\t"
    "movq $0x1111, -8(%rsp)\n\tmovq $0x2222, -120(%rsp)\n\tmovq $0x3333, -128(%rsp)\n\t"
    "movq $1, %rbx\n\tmovq $2, %r12\n\tmovq $3, %rdi\n\tmovq $4, %rsi\n\tmovq $5, %rdx\n\tmovq $6, %r8\n\tmovq $7, "
    "%r9\n\t"
    "movq $8, %r10\n\tmovq %r10, %xmm7\n\tmovq %rdi, %xmm15\n\t"
    "movl $24, %eax\n\t"  // sched_yield
    "syscall\n\t"
    "subq $1, %rbx\n\tsubq $2, %r12\n\tsubq $3, %rdi\n\tsubq $4, %rsi\n\tsubq $5, %rdx\n\tsubq $6, %r8\n\tsubq $7, "
    "%r9\n\t"
    "subq $8, %r10\n\torq %rbx, %rax\n\torq %r12, %rax\n\torq %rdi, %rax\n\torq %rsi, %rax\n\torq %rdx, %rax\n\t"
    "orq %r8, %rax\n\torq %r9, %rax\n\torq %r10, %rax\n\t"
    "movq %xmm7, %rcx\n\tsubq $8, %rcx\n\torq %rcx, %rax\n\tmovq %xmm15, %rcx\n\tsubq $3, %rcx\n\torq %rcx, %rax\n\t"
    "movq -8(%rsp), %rcx\n\tsubq $0x1111, %rcx\n\torq %rcx, %rax\n\t"
    "movq -120(%rsp), %rcx\n\tsubq $0x2222, %rcx\n\torq %rcx, %rax\n\t"
    "movq -128(%rsp), %rcx\n\tsubq $0x3333, %rcx\n\torq %rcx, %rax\n\t"
    "popq %r12\n\tpopq %rbx\n\tret");

static void* other(void* unused) {
  (void)unused;
  return (void*)(keeps_all() | keeps_all());
}

int main(void) {
  pthread_t thread;
  void* result;
  pthread_create(&thread, 0, other, 0);
  const long mine = keeps_all() | keeps_all();
  pthread_join(thread, &result);
  return mine == 0 && result == 0 ? 0 : 1;
}
