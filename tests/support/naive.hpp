// The meaning of programs as data, told as simply as possible: plain containers that are copied, everything worked out
// anew at every step. It shares no code with src/model and src/engine, and the tests demand that they agree.
//
// Operations are numbered in the order of creation, as by the scheduler.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/settings.hpp"
#include "support/program.hpp"
#include "trace/verdict.hpp"

namespace heddle::test {

class Naive {
 public:
  using Id = std::uint32_t;

  /// `program` is complete, and outlives this.
  explicit Naive(const Program& program, engine::Settings settings = {});

  /// Whose event could happen now, by its resource, by its deadline, or for no reason. Ascending.
  std::vector<Id> enabled() const;
  /// Of those, who may be chosen: the fairness of engine/scheduler.hpp. Empty: nobody can go on.
  std::vector<Id> choices() const;
  /// How many values the step of `id` chooses from; 1 if it chooses none.
  std::uint32_t value_bound(Id id) const;
  void apply(Id id, std::uint32_t value);

  bool has_failed() const { return failed_; }
  VerdictKind verdict() const;  // when there are no choices, or it has failed
  const Memory& memory() const { return memory_; }

  /// What it costs to let `id` go next, by sections 2.3 and 2.4 of the SCTBench study.
  std::uint32_t preemptions(Id id) const;
  std::uint32_t delays(Id id) const;

 private:
  enum class Phase : std::uint8_t { acting, waiting, relocking, arrived, leaving };
  struct Operation {
    std::uint32_t body = 0;
    std::uint32_t at = 0;
    Phase phase = Phase::acting;
    bool ended = false;
    bool timed = false;
    std::uint32_t depth = 0;  // of the mutex, to be taken again
    std::int64_t out = 0;
    std::optional<std::uint64_t> deadline;
    std::size_t created_at = 0;  // after so many steps
  };
  struct MutexState {
    std::optional<Id> owner;
    std::uint32_t depth = 0;
  };
  struct LockState {
    std::optional<Id> writer;
    std::vector<Id> readers;
  };
  struct Past {
    Id who;
    bool paused;
    std::uint32_t at;  // which of its actions
  };

  const Action& next(Id id) const { return program_->operations[operations_[id].body][operations_[id].at]; }
  bool is_admitted(Id id) const;
  bool is_enabled(Id id) const;
  bool has_time_come(Id id) const;
  bool waits_behind(Id id, const std::vector<Id>& enabled) const;
  std::size_t last_seen(Id id) const;
  bool gave_up_its_turn(Id id) const;
  void create(std::uint32_t body);
  void act(Id id, bool expired, std::uint32_t value);
  int take(Id id);
  void go_on(Id id);
  void stand(Id id);
  bool passes_over(Id id) const;
  void let_time_pass();
  static void remove(std::vector<Id>& from, Id id);

  const Program* program_;
  engine::Settings settings_;
  std::vector<Operation> operations_;
  Memory memory_;
  std::vector<MutexState> mutexes_;
  std::vector<LockState> locks_;
  std::vector<std::uint32_t> semaphores_;
  std::vector<std::vector<Id>> conditions_;  // who waits, in the order of coming
  std::vector<std::vector<Id>> barriers_;    // who has arrived
  std::vector<Past> history_;
  std::uint64_t now_ = 0;
  bool failed_ = false;
};

}  // namespace heddle::test
