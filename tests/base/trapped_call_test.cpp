#include "base/arch/x86_64/trapped_call.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/prctl.h>

namespace heddle {
namespace {

greg_t* registers(ucontext_t& context) { return context.uc_mcontext.gregs; }

TEST(TrappedCall, ReadsAndAnswers) {
  ucontext_t context{};
  greg_t* const all = registers(context);
  all[REG_RAX] = 9;
  const int order[] = {REG_RDI, REG_RSI, REG_RDX, REG_R10, REG_R8, REG_R9};
  for (int i = 0; i < 6; ++i) all[order[i]] = 100 + i;
  all[REG_RIP] = 0x1000;
  TrappedCall call(&context);
  long argument[6];
  call.arguments(argument);
  for (int i = 0; i < 6; ++i) EXPECT_EQ(argument[i], 100 + i);
  EXPECT_EQ(call.number(), 9);
  EXPECT_EQ(call.place(), reinterpret_cast<void*>(0x1000));
  call.answer(-38);
  EXPECT_EQ(all[REG_RAX], -38);
  EXPECT_EQ(all[REG_RIP], 0x1000);
}

TEST(TrappedClock, AnswersInTwoHalvesAndGoesOnBehind) {
  const unsigned char plain[] = {0x0f, 0x31, 0x90};
  const unsigned char with_processor[] = {0x0f, 0x01, 0xf9};
  ucontext_t context{};
  greg_t* const all = registers(context);
  all[REG_RIP] = reinterpret_cast<greg_t>(plain);
  all[REG_RCX] = 7;
  TrappedClock(&context).answer(0x1'2345'6789, 3);
  EXPECT_EQ(all[REG_RAX], 0x2345'6789);
  EXPECT_EQ(all[REG_RDX], 1);
  EXPECT_EQ(all[REG_RCX], 7);
  EXPECT_EQ(all[REG_RIP], reinterpret_cast<greg_t>(plain + 2));
  all[REG_RIP] = reinterpret_cast<greg_t>(with_processor);
  TrappedClock(&context).answer(5, 3);
  EXPECT_EQ(all[REG_RCX], 3);
  EXPECT_EQ(all[REG_RIP], reinterpret_cast<greg_t>(with_processor + 3));
}

TEST(TrappedIdentity, HasNoRandomNumbers) {
  const unsigned char code[] = {0x0f, 0xa2};
  ucontext_t context{};
  greg_t* const all = registers(context);
  for (const long leaf : {1, 7}) {
    all[REG_RIP] = reinterpret_cast<greg_t>(code);
    all[REG_RAX] = leaf;
    all[REG_RCX] = 0;
    TrappedIdentity identity(&context);
    ASSERT_TRUE(identity.is_one());
    identity.answer_without_random();
    EXPECT_EQ(leaf == 1 ? all[REG_RCX] & 1 << 30 : all[REG_RBX] & 1 << 18, 0);
    EXPECT_EQ(all[REG_RIP], reinterpret_cast<greg_t>(code + 2));
  }
}

// The handler is on a stack of its own. The answer is given below the red zone of the function that was stopped.
char* answered_on = nullptr;

void answer(void* context) {
  answered_on = static_cast<char*>(__builtin_frame_address(0));
  asm volatile("pcmpeqd %%xmm7, %%xmm7" ::: "xmm7");  // as a call may
  TrappedClock(context).answer(42, 0);
}

void on_fault(int, siginfo_t*, void* context) { continue_on_program_stack(context, answer); }

TEST(ContinueOnProgramStack, KeepsRegistersAndTheRedZone) {
  static char pages[64 * 1024];
  const stack_t stack{pages, 0, sizeof pages};
  stack_t old_stack{};
  sigaltstack(&stack, &old_stack);
  struct sigaction action {};
  struct sigaction old {};
  action.sa_sigaction = on_fault;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  sigaction(SIGSEGV, &action, &old);
  prctl(PR_SET_TSC, PR_TSC_SIGSEGV);
  long low = 0;
  long high = 1;
  long kept = 5;
  long red = 0;
  long vector = 6;
  asm volatile(
      "movq $77, -128(%%rsp)\n\tmovq $78, -8(%%rsp)\n\tmovq %[vector], %%xmm7\n\trdtsc\n\tmovq -128(%%rsp), %[red]\n\t"
      "addq -8(%%rsp), %[red]\n\tmovq %%xmm7, %[vector]"
      : "=a"(low), "=d"(high), [red] "=r"(red), [vector] "+r"(vector), "+b"(kept)
      :
      : "xmm7", "memory");
  prctl(PR_SET_TSC, PR_TSC_ENABLE);
  sigaction(SIGSEGV, &old, nullptr);
  sigaltstack(&old_stack, nullptr);
  EXPECT_EQ(low, 42);
  EXPECT_EQ(high, 0);
  EXPECT_EQ(kept, 5);
  EXPECT_EQ(vector, 6);
  EXPECT_EQ(red, 77 + 78);
  EXPECT_FALSE(answered_on >= pages && answered_on < pages + sizeof pages);
}

}  // namespace
}  // namespace heddle
