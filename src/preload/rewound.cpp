#include "preload/rewound.hpp"

#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <vector>

#include "base/own_descriptors.hpp"
#include "base/random.hpp"
#include "base/raw.hpp"
#include "preload/allocator.hpp"
#include "preload/forked_copy.hpp"
#include "runtime/process/children.hpp"
#include "runtime/tsan/watch.hpp"
#include "strategy/support/replay.hpp"

namespace heddle::preload {
namespace {

/// While it lives, executions have the racy places of the last one, although more may have been found since.
class SamePlaces {
 public:
  SamePlaces() { runtime::watch.promoted().repeat(true); }
  ~SamePlaces() { runtime::watch.promoted().repeat(false); }
  SamePlaces(const SamePlaces&) = delete;
  SamePlaces& operator=(const SamePlaces&) = delete;
};

constexpr std::uint32_t kSpareDonors = 2;
constexpr int kTrials = 3;
constexpr std::uint64_t kLongNs = 250'000'000;
constexpr std::uint64_t kSurelyLongNs = 4 * kLongNs;  // too long to be due to a busy machine
constexpr std::uint64_t kMappingsOfHeddle = 64;       // new ones that an execution longer than all before may need

/// Takes the first enabled operation at every choice, and records the time until the first choice.
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
      pristine_(whole, channel.request),
      on_trial_(on_trial) {}

void Rewound::open() {
  inner_.open();
  if (!begun_) begin();
}

void Rewound::begin() {
  begun_ = true;
  own_process_ = static_cast<int>(raw::syscall6(SYS_getpid, 0, 0, 0, 0, 0, 0));
  start_ = streams_.here();
  const std::size_t places = runtime::watch.promoted().size();
  const std::string wrong = objection();
  runtime::watch.promoted().forget_after(places);  // the exploration begins without what the trial found
  rewinds_ = wrong.empty();
  if (!rewinds_) give_up(wrong);
  if (on_trial_ && rewinds_)
    std::snprintf(channel_.chosen_text, sizeof channel_.chosen_text, "rewind (the program only changed memory)");
}

/// Why this program cannot be rewound; empty if it can.
std::string Rewound::objection() {
  std::uint64_t took_ns = kSurelyLongNs;
  bool has_ended = true;
  bool was_killed = false;
  bool ended_unseen = false;
  for (int i = 0; i < kTrials && has_ended; ++i) {
    const std::uint64_t begun = raw::monotonic_ns();
    const engine::ExecutionResult one = whole_.run(*strategy::first_enabled(), false);
    took_ns = raw::monotonic_ns() - begun;
    has_ended = one.verdict->kind != VerdictKind::cut;
    was_killed = one.verdict->cut == CutReason::ended;
    ended_unseen = one.ended_unseen;
    donors_ = one.contexts + kSpareDonors;
    if (took_ns <= kLongNs || took_ns >= kSurelyLongNs) break;
  }
  carrier_.keep_ready(donors_);
  pristine_.start();
  if (ended_unseen) return "its process ends by a system call that heddle does not see";
  if (channel_.started_child) return "it starts other processes";
  if (was_killed || (on_trial_ && !has_ended)) return "its first execution did not come to an end";
  if (on_trial_ && took_ns > kLongNs) return "an execution takes so long that a fork does not count";
  const std::string wrong = objection_to_memory();
  return wrong.empty() ? objection_to_rewinding() : wrong;
}

std::string Rewound::objection_to_memory() {
  if (has_own_allocator()) return describe_allocator();
  if (has_mapped_before_main()) return "it maps memory before main";
  if (!image_.find()) return "it has more memory than it pays to put back";
  return {};
}

std::string Rewound::objection_to_rewinding() {
  input_ = own_descriptors.copy(STDIN_FILENO, true);
  free_descriptor_ = lowest_free_descriptor(channel_.request.results);
  image_.take();
  kernel_ = KernelState::now();
  const std::uint64_t fork_ns = bare_fork_ns();
  const Sample fresh = sample_of(pristine_.run(*strategy::first_enabled(), false), streams_);
  const SamePlaces same_places;
  std::uint64_t extra_ns = ~std::uint64_t{0};  // the cost of rewinding that a fork at the first choice would avoid
  for (int i = 0; i < kTrials; ++i) {
    streams_.put_back(start_);
    TimedToChoice strategy;
    const Sample again = sample_of(run_in_this_process(strategy), streams_);
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

void Rewound::set_choices(engine::Choices choices) {
  inner_.set_choices(choices);
  pristine_.set_choices(choices);
}

engine::ExecutionResult Rewound::run(engine::Chooser chooser, bool record) {
  if (rewinds_ && crashed_ && !record) give_up("it crashed, and what it wrote before may be anywhere");
  if (record || !rewinds_) return pristine_.run(chooser, record);
  return run_here(chooser);
}

/// The command watches the process that runs an execution.
engine::ExecutionResult Rewound::run_in_this_process(engine::Chooser chooser) {
  channel_.counts.process.store(own_process_, std::memory_order_relaxed);
  const engine::ExecutionResult result = inner_.run(chooser, false);
  channel_.counts.process.store(0, std::memory_order_relaxed);
  return result;
}

engine::ExecutionResult Rewound::run_here(engine::Chooser chooser) {
  channel_.counts.begun.fetch_add(1, std::memory_order_relaxed);
  streams_.put_back(start_);
  const engine::ExecutionResult result = run_in_this_process(chooser);
  if (!is_compared(result)) [[likely]] {
    if (!put_back()) give_up("it left something behind that cannot be undone");
    if (result.contexts > donors_) give_up("it starts more threads than it did at first");
    return result;
  }
  const Sample here = sample_of(result, streams_);
  const bool is_undone = put_back();
  const auto same_again =
      std::make_unique<strategy::Replay>(here.schedule, chooser.strategy->is_fair());  // visible to all processes
  Random unused(0);
  same_again->begin(unused);
  const engine::ExecutionResult fresh = [&] {
    const SamePlaces same_places;
    return pristine_.run(*same_again, false);
  }();
  const std::string changed = KernelState::now().change_since(kernel_, std::max(executions_, kMappingsOfHeddle));
  if (!is_undone) give_up("it left something behind that cannot be undone");
  if (!same(here, sample_of(fresh, streams_)))
    give_up("an execution was not what it is in a fresh process");
  else if (!changed.empty())
    give_up(changed);
  crashed_ = fresh.verdict->kind == VerdictKind::signal;
  return fresh;
}

/// Every failure is compared, and passing executions ever more rarely.
bool Rewound::is_compared(const engine::ExecutionResult& result) {
  if (++executions_ < compare_at_ && !result.verdict->is_failure()) return false;
  if (executions_ >= compare_at_) compare_at_ *= 2;
  return true;
}

/// False: some state could not be restored.
bool Rewound::put_back() {
  image_.put_back();
  int lowest = lowest_free_descriptor(channel_.request.results);
  if (lowest < free_descriptor_ && lowest <= STDERR_FILENO) {  // many programs close their streams at the end
    raw::syscall6(SYS_dup2, input_, STDIN_FILENO, 0, 0, 0, 0);
    raw::syscall6(SYS_dup2, channel_.request.output, STDOUT_FILENO, 0, 0, 0, 0);
    raw::syscall6(SYS_dup2, channel_.request.errors, STDERR_FILENO, 0, 0, 0, 0);
    lowest = lowest_free_descriptor(channel_.request.results);
  }
  if (lowest > free_descriptor_) {
    raw::syscall6(SYS_close_range, free_descriptor_, own_descriptors.first() - 1, 0, 0, 0, 0);
    raw::syscall6(SYS_close_range, own_descriptors.end(), ~0u, 0, 0, 0, 0);
  }
  if (runtime::children_started() != 0 || has_children()) channel_.started_child = true;
  return lowest >= free_descriptor_ && !channel_.started_child;
}

/// On trial, this does not return: the command starts over.
void Rewound::give_up(const std::string& why) {
  rewinds_ = false;
  if (on_trial_ && !channel_.stop) {
    std::snprintf(channel_.chosen_text, sizeof channel_.chosen_text, "prefix (%s)", why.c_str());
    streams_.put_back(start_);  // the input that was read must be readable again
    channel_.again = true;
    raw::exit_process(0);
  }
  std::snprintf(channel_.isolation_text, sizeof channel_.isolation_text, "forked, not rewound: %s", why.c_str());
}

}  // namespace heddle::preload
