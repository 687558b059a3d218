// Loops that wait for a write of another operation: the same reads at the same places, the same values, and nothing
// changed between: what the loop writes to plain memory has the same value each time it comes round.
//
// An operation that has gone round such a loop a few times waits until somebody writes what it reads. A loop may also
// count its rounds and give up: so when nobody else can go on, those who wait in this way go round once more, many
// times, before it is said that nothing will ever come.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "base/ids.hpp"
#include "base/page_vector.hpp"

namespace heddle::runtime {

/// What is there now; of more than eight bytes, the first.
std::uint64_t value_at(const volatile void* at, std::size_t bytes);

class Spins {
 public:
  static constexpr std::uint32_t kRounds = 4;         // so many must be alike
  static constexpr std::uint32_t kPatience = 20'000;  // rounds when nobody else can go on

  void begin();

  /// The operation is about to read. True: it would only go round again, so it should wait.
  bool would_go_round(OperationId id, const volatile void* at, const void* place) const {
    return suspicious_ > 0 && is_about_to_go_round(id, at, place);
  }
  void has_read(OperationId id, const volatile void* at, std::size_t bytes, std::uint64_t value, const void* place);
  /// It is about to write to plain memory.
  void will_write(OperationId id, const volatile void* at, std::size_t bytes);
  /// It did something that others see.
  void progressed(OperationId id) {
    idle_rounds_ = 0;
    if (index(id) < loops_.size() && loops_[index(id)].count > 0) forget(loops_[index(id)]);
  }

  /// It waits from now on.
  void wait(OperationId id);
  /// Somebody may be in such a loop: every access should be told.
  bool any_suspicion() const { return suspicious_ > 0; }
  /// Those who wait for a write there go on.
  void written(const volatile void* at, std::size_t bytes) {
    if (!waiting_.empty()) wake(at, bytes);
  }
  /// Nobody else can go on: all who wait go round once more. False: they have done so often enough.
  bool go_round();
  /// One of those who wait, if any.
  OperationId someone() const { return waiting_.empty() ? kNoOperation : waiting_[0]; }

 private:
  struct Read {
    const volatile void* at = nullptr;
    const void* place = nullptr;
    std::uint64_t value = 0;
    std::uint8_t bytes = 0;

    bool is(const volatile void* other, const void* there) const { return at == other && place == there; }
  };
  struct Loop {
    static constexpr std::size_t kMost = 8;
    std::array<Read, kMost> reads;
    std::array<Read, kMost> writes;  // with the values that they had when it last came round
    std::uint32_t written = 0;       // of them
    std::uint32_t count = 0;         // of one round
    std::uint32_t next = 0;          // which read comes next in the round
    std::uint32_t rounds = 0;        // that were alike
    bool is_closed = false;          // it came back to its first read
  };

  static constexpr std::uint32_t kSuspicious = 2;

  bool is_about_to_go_round(OperationId id, const volatile void* at, const void* place) const;
  void wake(const volatile void* at, std::size_t bytes);
  Loop& loop(OperationId id);
  void forget(Loop& loop);
  void begin_round(Loop& loop);
  void move_on(std::size_t i);

  PageVector<Loop> loops_;  // indexed by operation
  PageVector<OperationId> waiting_;
  std::uint32_t suspicious_ = 0;  // loops with so many rounds
  std::uint32_t idle_rounds_ = 0;
};

}  // namespace heddle::runtime
