// The body of a naked function that calls `before`, a C function without arguments, and jumps to the address that it
// returns. Arguments, stack and return address are as the caller passed them.
#pragma once

#define HEDDLE_JUMP_AFTER(before)                               \
  asm("pushq %rdi\n\tpushq %rsi\n\tpushq %rdx\n\tcall " #before \
      "\n\tpopq %rdx\n\tpopq %rsi\n\tpopq %rdi\n\t"             \
      "jmpq *%rax")

/// The same, with a function of three arguments: the first two of the caller, and the address it is called from. It
/// returns two words: the first argument to go on with, and the address to jump to.
#define HEDDLE_JUMP_AFTER_CHOICE(before)                                     \
  asm("pushq %rdi\n\tpushq %rsi\n\tmovq 16(%rsp), %rdx\n\tsubq $8, %rsp\n\t" \
      "call " #before                                                        \
      "\n\taddq $8, %rsp\n\tpopq %rsi\n\tpopq %rdi\n\tmovq %rax, %rdi\n\t"   \
      "jmpq *%rdx")
