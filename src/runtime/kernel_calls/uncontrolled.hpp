// What a program does past libc and heddle does not control, although it matters: system calls that may wait for
// another operation or start one, random numbers of the processor. What is noted here is named at the end of a run.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>

namespace heddle::runtime {

enum class UncontrolledKind : std::uint8_t {
  call,         // was made: a system call
  instruction,  // is in the code: calls the kernel in a way that it does not report
  outside,      // was done: talks with another process, which no schedule holds back
  random,       // is in the code: draws from the processor's random numbers
};

struct UncontrolledPlace {
  UncontrolledKind kind = UncontrolledKind::call;
  char name[40] = "";
  char module[200] = "";     // the path of the code
  std::uint64_t offset = 0;  // in the module
};

/// In memory that every process of an exploration shares.
struct UncontrolledCode {
  std::array<UncontrolledPlace, 8> places;
  std::atomic<std::uint32_t> count{0};
};

/// Where notes go from now on; until then they are kept nowhere.
void keep_uncontrolled(UncontrolledCode* notes);

/// Each name is noted once.
void note_uncontrolled(UncontrolledKind kind, const char* name, const char* module, std::uint64_t offset);

/// The same for code at this address; `place` is the instruction behind it.
void note_uncontrolled(UncontrolledKind kind, const char* name, const void* place);

/// Notes the call if it is one that matters.
void note_if_uncontrolled(long number, const long* argument, const void* place);

}  // namespace heddle::runtime
