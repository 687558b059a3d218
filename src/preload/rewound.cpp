#include "preload/rewound.hpp"

#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <vector>

#include "base/random.hpp"
#include "base/raw.hpp"
#include "preload/forked_copy.hpp"
#include "preload/heap.hpp"
#include "runtime/process/children.hpp"
#include "strategy/support/replay.hpp"

namespace heddle::preload {
namespace {

constexpr std::uint32_t kSpareDonors = 2;
constexpr int kTrials = 3;
constexpr std::uint64_t kLongNs = 250'000'000;
constexpr std::uint64_t kSurelyLongNs = 4 * kLongNs;  // that is no chance of a busy machine
constexpr std::uint64_t kMappingsOfHeddle = 64;       // that may come when an execution is longer than all before

/// Takes the first enabled operation at every choice, and notes how long it took to come to the first.
class TimedToChoice final : public strategy::Strategy {
 public:
  TimedToChoice() : inner_(strategy::first_enabled()), made_ns_(raw::monotonic_ns()) {}

  bool begin(Random&) override { return true; }
  OperationId choose_operation(const strategy::ScheduleView& view) override {
    came_to_choice();
    return inner_->choose_operation(view);
  }
  std::uint32_t choose_value(const strategy::ScheduleView& view, std::uint32_t bound) override {
    came_to_choice();
    return inner_->choose_value(view, bound);
  }
  bool is_fair() const override { return inner_->is_fair(); }
  std::string explored() const override { return inner_->explored(); }

  std::uint64_t start_ns() const { return start_ns_; }

 private:
  void came_to_choice() {
    if (start_ns_ == 0) start_ns_ = raw::monotonic_ns() - made_ns_;
  }

  std::unique_ptr<strategy::Strategy> inner_;
  std::uint64_t made_ns_;
  std::uint64_t start_ns_ = 0;
};

std::uint64_t bare_fork_ns() {
  std::uint64_t best = ~std::uint64_t{0};
  for (int i = 0; i < kTrials; ++i) {
    const std::uint64_t begun = raw::monotonic_ns();
    const int copy = fork_copy();
    if (copy == 0) raw::exit_process(0);
    wait_for_copy(copy);
    best = std::min(best, raw::monotonic_ns() - begun);
  }
  return best;
}

struct Sample {
  Verdict verdict;
  std::uint64_t steps;
  std::uint32_t operations;
  std::vector<Choice> schedule;
  std::string output;
};

int lowest_free_descriptor(int of) {
  const long descriptor = raw::syscall6(SYS_dup, of, 0, 0, 0, 0, 0);
  if (descriptor >= 0) raw::syscall6(SYS_close, descriptor, 0, 0, 0, 0, 0);
  return static_cast<int>(descriptor);
}

Sample sample_of(const engine::ExecutionResult& result, const Streams& streams) {
  return {*result.verdict,
          result.steps,
          result.operations,
          {result.schedule.begin(), result.schedule.end()},
          streams.output() + streams.errors()};
}

bool same(const Sample& a, const Sample& b) {
  return a.verdict.kind == b.verdict.kind && a.verdict.text() == b.verdict.text() && a.steps == b.steps &&
         a.schedule == b.schedule && a.output == b.output;
}

}  // namespace

Rewound::Rewound(engine::InProcess& inner, engine::Carrier& carrier, Forked& whole, Streams& streams, Channel& channel,
                 bool on_trial)
    : inner_(inner),
      carrier_(carrier),
      whole_(whole),
      streams_(streams),
      channel_(channel),
      pristine_(whole, channel.request.points),
      on_trial_(on_trial) {}

void Rewound::open() {
  inner_.open();
  if (!begun_) begin();
}

void Rewound::begin() {
  begun_ = true;
  start_ = streams_.here();
  channel_.rewinds = on_trial_;
  const std::string wrong = objection();
  rewinds_ = wrong.empty();
  if (!rewinds_) give_up(wrong);
  if (on_trial_)
    std::snprintf(channel_.chosen_text, sizeof channel_.chosen_text, "rewind (the program only changed memory)");
}

/// Why this program cannot be rewound; empty if it can.
std::string Rewound::objection() {
  std::uint64_t took_ns = kSurelyLongNs;
  bool has_ended = true;
  for (int i = 0; i < kTrials && has_ended; ++i) {
    const std::uint64_t begun = raw::monotonic_ns();
    const engine::ExecutionResult one = whole_.run(*strategy::first_enabled(), false);
    took_ns = raw::monotonic_ns() - begun;
    has_ended = one.verdict->kind != VerdictKind::cut;
    donors_ = one.operations + kSpareDonors;
    if (took_ns <= kLongNs || took_ns >= kSurelyLongNs) break;
  }
  carrier_.keep_ready(donors_);
  pristine_.start();
  if (channel_.started_child) return "it starts other processes";
  if (on_trial_ && !has_ended) return "its first execution did not come to an end";
  if (on_trial_ && took_ns > kLongNs) return "an execution takes so long that a fork does not count";
  const std::string wrong = objection_to_memory();
  return wrong.empty() ? objection_to_rewinding() : wrong;
}

std::string Rewound::objection_to_memory() {
  if (!is_heap_of_program()) return "it brings a heap of its own";
  if (has_mapped_before_main()) return "it maps memory before main";
  if (!image_.find()) return "it has more memory than it pays to put back";
  return {};
}

std::string Rewound::objection_to_rewinding() {
  input_ = static_cast<int>(raw::syscall6(SYS_fcntl, STDIN_FILENO, F_DUPFD, kFirstOwnDescriptor, 0, 0, 0));
  free_descriptor_ = lowest_free_descriptor(channel_.request.results);
  image_.take();
  kernel_ = KernelState::now();
  const std::uint64_t fork_ns = bare_fork_ns();
  const Sample fresh = sample_of(pristine_.run(*strategy::first_enabled(), false), streams_);
  std::uint64_t extra_ns = ~std::uint64_t{0};  // that rewinding costs, and a fork at the first choice would not
  for (int i = 0; i < kTrials; ++i) {
    streams_.put_back(start_);
    TimedToChoice strategy;
    const Sample again = sample_of(inner_.run(strategy, false), streams_);
    const std::uint64_t ended = raw::monotonic_ns();
    if (!put_back()) return "it leaves something behind that cannot be undone";
    extra_ns = std::min(extra_ns, strategy.start_ns() + raw::monotonic_ns() - ended);
    if (!same(fresh, again)) return "an execution after another is not what it is in a fresh process";
    const KernelState now = KernelState::now();
    if (std::string changed = now.change_since(kernel_, kMappingsOfHeddle); !changed.empty()) return changed;
    if (i > 1 && now.pages != kernel_.pages) return "it leaves memory mapped";
    kernel_ = now;
  }
  if (on_trial_ && extra_ns > fork_ns) return "its start takes longer than a fork";
  return {};
}

void Rewound::set_points(engine::Points points) {
  inner_.set_points(points);
  pristine_.set_points(points);
}

engine::ExecutionResult Rewound::run(engine::Chooser chooser, bool record) {
  if (rewinds_ && crashed_ && !record) give_up("it crashed, and what it wrote before may be anywhere");
  if (record || !rewinds_) return pristine_.run(chooser, record);
  return run_here(chooser);
}

engine::ExecutionResult Rewound::run_here(engine::Chooser chooser) {
  channel_.counts.begun.fetch_add(1, std::memory_order_relaxed);
  streams_.put_back(start_);
  const engine::ExecutionResult result = inner_.run(chooser, false);
  if (!is_compared(result)) [[likely]] {
    if (!put_back()) give_up("it left something behind that cannot be undone");
    if (result.operations > donors_) give_up("it starts more threads than it did at first");
    return result;
  }
  const Sample here = sample_of(result, streams_);
  const bool is_undone = put_back();
  const auto same_again =
      std::make_unique<strategy::Replay>(here.schedule, chooser.strategy->is_fair());  // seen by all
  Random unused(0);
  same_again->begin(unused);
  const engine::ExecutionResult fresh = pristine_.run(*same_again, false);
  const std::string changed = KernelState::now().change_since(kernel_, std::max(executions_, kMappingsOfHeddle));
  if (!is_undone) give_up("it left something behind that cannot be undone");
  if (!same(here, sample_of(fresh, streams_)))
    give_up("an execution was not what it is in a fresh process");
  else if (!changed.empty())
    give_up(changed);
  crashed_ = fresh.verdict->kind == VerdictKind::signal;
  return fresh;
}

/// Every failure, and of the others fewer and fewer.
bool Rewound::is_compared(const engine::ExecutionResult& result) {
  if (++executions_ < compare_at_ && !result.verdict->is_failure()) return false;
  if (executions_ >= compare_at_) compare_at_ *= 2;
  return true;
}

/// False: something is not as it was.
bool Rewound::put_back() {
  image_.put_back();
  int lowest = lowest_free_descriptor(channel_.request.results);
  if (lowest < free_descriptor_ && lowest <= STDERR_FILENO) {  // many programs close their streams at the end
    raw::syscall6(SYS_dup2, input_, STDIN_FILENO, 0, 0, 0, 0);
    raw::syscall6(SYS_dup2, channel_.request.output, STDOUT_FILENO, 0, 0, 0, 0);
    raw::syscall6(SYS_dup2, channel_.request.errors, STDERR_FILENO, 0, 0, 0, 0);
    lowest = lowest_free_descriptor(channel_.request.results);
  }
  if (lowest > free_descriptor_) raw::syscall6(SYS_close_range, free_descriptor_, kFirstOwnDescriptor - 1, 0, 0, 0, 0);
  if (runtime::children_started() != 0) channel_.started_child = true;
  return lowest >= free_descriptor_ && !channel_.started_child;
}

/// On trial it does not come back: the command begins anew.
void Rewound::give_up(const std::string& why) {
  rewinds_ = false;
  if (on_trial_ && !channel_.stop) {
    std::snprintf(channel_.chosen_text, sizeof channel_.chosen_text, "prefix (%s)", why.c_str());
    streams_.put_back(start_);  // what it has read is to be read again
    channel_.again = true;
    raw::exit_process(0);
  }
  std::snprintf(channel_.isolation_text, sizeof channel_.isolation_text, "forked, not rewound: %s", why.c_str());
}

}  // namespace heddle::preload
