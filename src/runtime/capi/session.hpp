// Operations on the caller's own threads: Nekara's Algorithm 1 over heddle's scheduler.
//
// Between attach and detach one operation runs. The thread of every other operation is parked in a call, on its own
// word, so handing over is one wake and one wait. An operation is a candidate from its creation on, in the order of
// creation. But no operation is picked until the threads of all created operations have arrived (`starting_`), so the
// choices never depend on how fast a thread starts.
//
// One lock guards everything. The running operation takes it in each call. It is free then, except for threads that
// start and for calls that are wrong: the caller is identified by its thread pointer, so a thread that is not the
// running operation gets an error and changes nothing. A thread is woken with the code that its call returns. When an
// execution stops, because of a deadlock or at detach, all threads are woken, and from then on they run free.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "base/page_vector.hpp"
#include "base/random.hpp"
#include "engine/donor.hpp"
#include "engine/recorder.hpp"
#include "engine/scheduler.hpp"
#include "engine/settings.hpp"
#include "heddle/heddle.h"
#include "runtime/capi/calls.hpp"
#include "runtime/capi/lock.hpp"
#include "runtime/capi/world.hpp"
#include "strategy/strategy.hpp"
#include "strategy/support/replay.hpp"
#include "trace/trace.hpp"
#include "trace/verdict.hpp"

namespace heddle::runtime::capi {

class Session final : public World {
 public:
  bool is_attached() const { return attached_.load(std::memory_order_acquire); }

  // Called by any thread.
  heddle_code open(const char* strategy, std::uint64_t seed);
  heddle_code close();
  heddle_code set_option(const char* name, std::uint64_t value);
  heddle_code attach();
  heddle_code detach();
  heddle_code start(std::uint64_t id);
  heddle_code end(std::uint64_t id);
  heddle_code replay(const char* path);
  heddle_code save_trace(const char* path);

  /// Holds the lock for a call of the running operation; `code` says whether the caller is that operation.
  class Turn {
   public:
    explicit Turn(Session& session) : session_(session) {
      session_.lock_.lock();
      code = session_.check_caller();
    }
    ~Turn() { session_.lock_.unlock(); }
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;

    heddle_code code;

   private:
    Session& session_;
  };

  // Called within a turn.
  heddle_code create(std::uint64_t id);
  heddle_code fail(const char* message);
  Calls& calls() { return calls_; }

  engine::Scheduler& scheduler() override { return scheduler_; }
  heddle_code step(const model::Event& event) override;
  heddle_code step_when_woken(const model::Event& event) override;
  std::uint32_t choose(std::uint32_t bound, bool is_failure, const void* place) override;

 private:
  struct Thread {
    std::uintptr_t pointer = 0;           // 0: has not arrived yet
    engine::ParkingSpot* spot = nullptr;  // on its stack, while it is parked
  };

  /// As requested by heddle_open, or by the environment in its place.
  struct Exploration {
    std::string name;
    std::unique_ptr<strategy::Strategy> strategy;  // null: none is open
    std::string spec;
    std::uint64_t seed = 0;
    std::uint64_t iterations = 0;  // begun
    bool only_replays = false;     // HEDDLE_REPLAY is set: one iteration or none
  };

  heddle_code check_caller();
  bool is_caller(OperationId id) const;
  heddle_code open_replay(const char* path);
  heddle_code load(const char* path, Trace& trace) const;
  void follow(Trace trace);
  heddle_code take_strategy();
  void begin_execution();
  OperationId add_operation();
  heddle_code finish();
  heddle_code compare_with_expected() const;
  TraceHeader header() const;
  heddle_code code_of_verdict() const;

  void capture(OperationId self, const void* place);
  heddle_code hand_over();
  heddle_code pick_next(OperationId& next);
  heddle_code wait_for_threads();
  heddle_code park(engine::ParkingSpot& mine);
  static void wake(engine::ParkingSpot* spot, heddle_code code);
  void wake_everybody(heddle_code code);
  /// `told`: the message that callers get, if it is not the verdict's text.
  heddle_code stop(heddle_code code, VerdictKind kind, const std::string& text, const std::string& told = {});
  heddle_code stopped_error();
  Trace trace() const;  // without source lines, and without data about the process

  Lock lock_;  // guards everything below
  std::atomic<bool> attached_{false};
  heddle_code stopped_ = HEDDLE_OK;  // why the execution was stopped before detach; every call returns this
  std::string stopped_text_;
  Calls calls_{*this};
  engine::Scheduler scheduler_;
  engine::Recorder recorder_;
  engine::Settings settings_;
  std::uint64_t start_timeout_ns_ = 10'000'000'000;
  PageVector<Thread> threads_;              // indexed by operation
  std::uint32_t starting_ = 0;              // operations that were created and whose threads have not arrived
  std::atomic<std::uint32_t> arrivals_{0};  // counts the threads that arrived; waited on
  bool arrivals_awaited_ = false;
  Verdict verdict_;

  Exploration exploration_;
  std::uint32_t opened_ = 0;                  // number of explorations
  std::optional<Random> random_;              // of this execution
  strategy::Strategy* strategy_ = nullptr;    // decides in this execution
  bool has_run_ = false;                      // there is an execution to save
  TraceHeader header_;                        // of that execution
  std::unique_ptr<strategy::Replay> replay_;  // for the next execution, or for the current one
  std::optional<Trace> expected_;             // the trace that it replays
};

/// The session of the process. Never destroyed: threads may be parked in it when the process ends.
Session& session();

}  // namespace heddle::runtime::capi
