// Loops that wait for a write of another operation.
//
// A loop waits if it goes round without leaving a trace: the same reads at the same places with the same values, no
// other step, no value drawn, and at the same point of two rounds the same registers, the same stack, and the same
// values in all plain memory that it touches. It would then go round for ever, until another operation writes what it
// reads; so it waits for that. If no operation is left that could, this is a livelock. Writes that leave what was there
// are no trace: without optimisation the compiler stores what a loop has read in a variable of its own.
//
// A loop that counts its rounds, or backs off for longer each time, is not such a loop: it changes something of its
// own. It goes on as the strategy decides, and yields now and then: more often if its reads are not scheduling points.
//
// Comparing registers and stacks takes a microsecond. It is done in two consecutive rounds when a loop looks as if it
// only waits, and from then on more and more rarely.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "base/ids.hpp"
#include "base/page_vector.hpp"

namespace heddle::runtime {

/// The current value; of more than eight bytes, the first.
std::uint64_t value_at(const volatile void* at, std::size_t bytes);

class Spins {
 public:
  // A loop that does more than wait yields after this many equal rounds.
  static constexpr std::uint32_t kRoundsWithPoints = 512;
  static constexpr std::uint32_t kRoundsWithout = 64;

  enum class Round : std::uint8_t { goes_on, yields, waits };

  void begin();

  /// The operation is about to read: returns what it should do first. `has_point`: the read itself is a scheduling
  /// point.
  Round next_round(OperationId id, const volatile void* at, const void* place, bool has_point) {
    return suspicious_ > 0 ? look_at_round(id, at, place, has_point) : Round::goes_on;
  }
  void has_read(OperationId id, const volatile void* at, std::size_t bytes, std::uint64_t value, const void* place);
  /// The operation is about to read or write plain memory.
  void will_touch(OperationId id, const volatile void* at, std::size_t bytes);
  /// It is about to write plain memory, after a step that was one for this write alone and came between two reads. A
  /// write that leaves the same as the one before it there is part of the loop.
  void will_write(OperationId id, const volatile void* at, std::size_t bytes);
  /// It comes to its next access: what has that write left?
  void has_come_after_write(OperationId id) {
    if (index(id) < loops_.size() && loops_[index(id)].written.at != nullptr) judge_write(id, loops_[index(id)]);
  }
  /// It did something that others see, or saw something that is no memory.
  void progressed(OperationId id) {
    if (index(id) < loops_.size() && loops_[index(id)].count > 0) forget(loops_[index(id)]);
  }
  /// The operation is about to take a step that changes nothing, a yield or a fence. True if it has taken no other step
  /// since its last read: then this step is part of the loop, and `has_idled` must be called afterwards.
  bool is_between_reads(OperationId id) const;
  void has_idled(OperationId id);

  /// The operation waits from now on.
  void wait(OperationId id);
  /// True if an operation may be in such a loop: every access should be reported.
  bool any_suspicion() const { return suspicious_ > 0; }
  /// Operations that wait for a write there go on.
  void written(const volatile void* at, std::size_t bytes) {
    if (!waiting_.empty()) wake(at, bytes);
  }
  /// One of the waiting operations, if any.
  OperationId someone() const { return waiting_.empty() ? kNoOperation : waiting_[0]; }

 private:
  struct Read {
    const volatile void* at = nullptr;
    const void* place = nullptr;
    std::uint64_t value = 0;
    std::uint8_t bytes = 0;

    bool is(const volatile void* other, const void* there) const { return at == other && place == there; }
    bool meets(std::uintptr_t begin, std::size_t length) const {
      const auto mine = reinterpret_cast<std::uintptr_t>(at);
      return mine < begin + length && begin < mine + bytes;
    }
  };
  struct Loop {
    static constexpr std::size_t kMost = 8;
    std::array<Read, kMost> reads;
    std::array<Read, kMost> touched;  // plain memory, with its values when the loop last came round
    std::uint32_t touched_count = 0;
    std::uint32_t touched_known = 0;  // of those, which had a value when the loop came round before
    std::uint32_t count = 0;          // of one round
    std::uint32_t next = 0;           // which read comes next in the round
    std::uint32_t rounds = 0;         // that were alike
    std::uint32_t compare_at = 0;     // the round from which the next two are compared
    Read written;                     // plain memory, just now
    bool is_closed = false;           // it came back to its first read
    bool has_state = false;           // of the round before
    std::uint64_t state = 0;          // registers and stack
    std::uint64_t last_step = 0;      // of the operation, when it read last
    std::uint64_t values = 0;         // drawn by then, by anyone
  };

  /// What an operation has written between reads, and left there. Not what was there before: on a stack that is
  /// whatever others left, which need not be the same in every execution.
  struct Left {
    std::array<Read, Loop::kMost> writes;
    std::uint32_t count = 0;
  };

  static constexpr std::uint32_t kSuspicious = 2;

  Round look_at_round(OperationId id, const volatile void* at, const void* place, bool has_point);
  bool is_at_its_beginning(const Loop& loop, const volatile void* at, const void* place) const;
  bool has_done_more(OperationId id, const Loop& loop) const;
  bool is_stutter(OperationId id, Loop& loop);
  void judge_write(OperationId id, Loop& loop);
  bool leaves_the_same(OperationId id, const Read& written);
  void wake(const volatile void* at, std::size_t bytes);
  Loop& loop(OperationId id);
  void forget(Loop& loop);
  void begin_round(Loop& loop);
  void begin_anew(Loop& loop);
  void move_on(std::size_t i);

  PageVector<Loop> loops_;  // indexed by operation
  PageVector<Left> left_;   // indexed by operation, of those who write between reads
  PageVector<OperationId> waiting_;
  std::uint32_t suspicious_ = 0;  // loops with enough equal rounds
};

}  // namespace heddle::runtime
