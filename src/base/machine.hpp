// What the machine refuses: processes, threads, memory, descriptors, `/proc`, room on a disk.
//
// A refusal is neither a bug of the program under test nor a fault of heddle. Where heddle itself needs what is
// refused, one sentence names the limit and the process ends with exit code 4. Where the program asked, it gets the
// error that the system would give it. But heddle takes its share of every limit, so the program might have had it
// without heddle: the refusal is noted, and an execution that fails after one is not reported as a bug.
#pragma once

#include <cstddef>
#include <cstdint>

namespace heddle {

inline constexpr int kExitRefused = 4;

enum class Scarce : std::uint8_t { process, thread, memory, descriptor, file };

/// Writes a sentence without a full stop: `cannot start another thread: the limit of processes for this user is 512
/// (ulimit -u)`. `error`: what the system call returned.
void describe_refusal(Scarce what, int error, char* text, std::size_t size);

/// Reports a sentence elsewhere before the process ends; for a program that the command watches.
using RefusalHook = void (*)(const char* sentence);
void set_refusal_hook(RefusalHook hook);

/// Ends the process: heddle cannot go on.
[[noreturn]] void end_refused(Scarce what, int error);
[[noreturn]] void end_refused(const char* sentence);

/// What was refused to the program since `forget` was called.
class Refusals {
 public:
  void note(Scarce what, int error) {
    if (count_++ == 0) first_ = {what, error};
  }
  void forget() { count_ = 0; }
  bool any() const { return count_ != 0; }
  void describe(char* text, std::size_t size) const { describe_refusal(first_.what, first_.error, text, size); }

 private:
  struct Refusal {
    Scarce what = Scarce::thread;
    int error = 0;
  };
  Refusal first_;
  std::uint32_t count_ = 0;
};
extern Refusals refusals;

/// The value of a limit (RLIMIT_…) that is in force; kUnlimited: none is.
inline constexpr std::uint64_t kUnlimited = ~std::uint64_t{0};
std::uint64_t limit_of(int resource);
/// How many of `wanted` bytes of addresses to reserve: all of them, unless the addresses of this process are limited;
/// then at most one in `share` of them.
std::size_t reservable(std::size_t wanted, unsigned share);

}  // namespace heddle
