// The body of a naked function that calls `before`, a C function without arguments, and jumps to the address that it
// returns. Arguments, stack and return address are as the caller passed them.
#pragma once

#define HEDDLE_JUMP_AFTER(before)                               \
  asm("pushq %rdi\n\tpushq %rsi\n\tpushq %rdx\n\tcall " #before \
      "\n\tpopq %rdx\n\tpopq %rsi\n\tpopq %rdi\n\t"             \
      "jmpq *%rax")
