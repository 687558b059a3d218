// Runs programs as data on the real scheduler: stands, picks, applies, without a thread.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "base/ids.hpp"
#include "base/random.hpp"
#include "engine/scheduler.hpp"
#include "engine/settings.hpp"
#include "strategy/strategy.hpp"
#include "support/program.hpp"
#include "trace/schedule.hpp"
#include "trace/verdict.hpp"

namespace heddle::test {

using Schedule = std::vector<Choice>;

struct Step {
  OperationId who;
  model::EventKind event;
  bool operator==(const Step&) const = default;
};

struct Result {
  Verdict verdict;
  Schedule schedule;
  std::vector<Step> steps;
  Memory memory;
};

bool operator==(const Result& a, const Result& b);

/// Looks on at every step.
class Watcher {
 public:
  virtual ~Watcher() = default;
  virtual void before_pick(const engine::Scheduler&) {}
  virtual void picked(OperationId) {}                  // kNoOperation: nobody could go on
  virtual void applied(OperationId, std::uint32_t) {}  // with the value that was chosen during the step, else 0
};

class Interpreter {
 public:
  explicit Interpreter(const Program& program, engine::Settings settings = {});

  /// One execution. `strategy.begin` has been called; `strategy.end` is called here.
  Result run(engine::Chooser chooser, Watcher* watcher = nullptr);

 private:
  enum class Phase : std::uint8_t { acting, waiting, relocking, leaving };
  struct Operation {
    std::uint32_t body = 0;
    std::uint32_t at = 0;  // in its actions
    Phase phase = Phase::acting;
    bool timed = false;  // the wait has a deadline
    std::uint32_t mutex_depth = 0;
    std::int64_t register_value = 0;
    std::vector<std::uint32_t> holds;  // indexed by read-write lock: how often
  };

  const Action& action(OperationId id) const;
  Operation& state(OperationId id) { return operations_[index(id)]; }
  model::Resource& resource(ResourceId id) { return scheduler_.resource(id); }
  model::Event event(OperationId id) const;
  const void* place(OperationId id) const;
  ResourceId resource_of(const Action& action) const;
  ResourceId mutex(std::uint32_t which) const;
  ResourceId life(std::uint32_t body) const;  // of an operation of the program

  void add_resources();
  void begin_operation(OperationId parent, std::uint32_t body);
  void take_step(OperationId id);
  void act(OperationId id);
  bool passes_over(OperationId id);
  void go_on(OperationId id);
  void publish(OperationId id);
  int take(OperationId id, ResourceId what, model::EventKind kind);
  void begin_wait(OperationId id, const Action& wait);
  void stop_waiting(OperationId id);
  void wake(ResourceId condition, std::uint32_t position);
  void arrive(OperationId id, ResourceId barrier);
  void fail(VerdictKind kind, OperationId id, const char* text);
  Verdict stuck() const;

  Program program_;
  std::vector<std::uint32_t> code_;  // of each operation: the first with the same actions, whose places are its own
  engine::Settings settings_;
  engine::Scheduler scheduler_;
  std::vector<Operation> operations_;                                                         // indexed by operation
  std::array<std::uint32_t, static_cast<std::size_t>(model::ResourceKind::kCount)> first_{};  // resource of each kind
  Memory memory_;
  Verdict verdict_;
  std::vector<Step> steps_;
  std::uint32_t chosen_ = 0;  // the value chosen during the current step
};

/// begin, run, end, again and again, until the strategy has nothing left or `executions` are done. `each` may return
/// false to stop. Returns how many there were.
std::uint64_t explore(const Program& program, strategy::Strategy& strategy, std::uint64_t seed,
                      std::uint64_t executions, const std::function<bool(const Result&)>& each,
                      engine::Settings settings = {});

/// One execution of a strategy that has not begun.
Result run_once(const Program& program, strategy::Strategy& strategy, std::uint64_t seed,
                engine::Settings settings = {});

}  // namespace heddle::test
