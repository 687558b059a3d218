// RFF: reads-from feedback. Wolff, Shi, Duck, Mathur and Roychoudhury, "Greybox Fuzzing for Concurrency Testing",
// ASPLOS 2024.
//
// An abstract schedule (abstract_schedule.hpp) demands of a few pairs of events that one reads from the other, or does
// not. An execution takes a kept schedule, changes it a little, and follows it as far as possible (steering.hpp). Where
// the schedule leaves a choice, the priorities of POS decide. If the execution shows something new under the signal
// (coverage_signal.hpp), its abstract schedule is kept too. How often a schedule is taken depends on how often its
// signature was seen (the COE schedule of AFLFast, Boehme, Pham and Roychoudhury, CCS 2016). While that count is above
// the mean, the schedule is passed over, unless this holds for all. Otherwise it is taken in 2^k executions in a row,
// divided by the count, at most 16, where k is how often it was taken before.
//
// Differs from the paper: a kept schedule also demands the last new pair that it showed. Otherwise it might not show
// the pair again, and nothing could build on it. Pairs are those of all events with a resource, not of memory alone.
// The events seen so far, instead of a race predictor, tell which pairs can be demanded. An execution drops its demands
// once it is twice as long as the longest that ended by itself: holding back a change that other operations spin for
// would never end. Code coverage is not used. Values are uniform.
//
// Memory: kKept abstract schedules, where a new one replaces the oldest. recollection.hpp bounds what is remembered as
// seen.
#include <algorithm>

#include "base/page_vector.hpp"
#include "strategy/builtin.hpp"
#include "strategy/feedback/abstract_schedule.hpp"
#include "strategy/feedback/coverage_signal.hpp"
#include "strategy/feedback/reads_from.hpp"
#include "strategy/feedback/steering.hpp"
#include "strategy/support/event_priorities.hpp"
#include "strategy/support/learned_length.hpp"
#include "strategy/support/randomised.hpp"

namespace heddle::strategy {
namespace {

class ReadsFromFeedback final : public Randomised, private StepWatcher {
 public:
  explicit ReadsFromFeedback(Signal signal) : signal_(signal) { corpus_.push_back({}); }

  bool begin(Random& random) override {
    priorities_.begin();
    reads_from_.begin();
    signal_.begin();
    if (energy_ == 0) take_another();
    --energy_;
    schedule_ = corpus_[taken_].schedule;
    schedule_.mutate(random, reads_from_);
    steering_.begin(schedule_);
    choices_ = 0;
    patience_ = 2 * length_.value();
    found_ = {};
    return Randomised::begin(random);
  }

  OperationId choose_operation(const ScheduleView& view) override {
    signal_.choice(view);
    if (++choices_ > patience_) [[unlikely]]
      steering_.release();
    if (steering_.is_empty()) return priorities_.choose(view, [this](OperationId) { return random_->next(); });
    // Two bits of a priority do not affect its rank. One of them marks that the constraints concern the operation.
    const auto draw = [&](OperationId id) {
      return (random_->next() & ~kConcerned) | (steering_.stand(view, id) ? kConcerned : 0);
    };
    const OperationId chosen = priorities_.choose(view, draw, [&](OperationId id, std::uint64_t priority) {
      const Turn turn = (priority & kConcerned) == 0 ? Turn::neutral : steering_.turn(id);
      return static_cast<std::uint64_t>(turn) << 62 | priority >> 2;
    });
    steering_.chosen();
    return chosen;
  }

  void end(const ExecutionSummary& summary) override {
    length_.learn(choices_, summary.verdict);
    const bool is_new = signal_.end();
    float& executions = executions_with_[executions_with_.find(signal_.signature())];
    signatures_ += executions == 0;
    ++executions;
    ++executions_;
    executions_with_.forget();
    if (is_new) keep();
  }

  StepWatcher* watcher() override { return this; }
  MachinesShow machines_show() const override { return signal_.machines_show(); }

 private:
  static constexpr std::uint32_t kKept = 4096;
  static constexpr std::uint32_t kEnergyMost = 16;
  static constexpr std::uint64_t kConcerned = 2;

  struct Entry {
    AbstractSchedule schedule;
    std::uint64_t signature = 0;  // of the execution that it was kept for
    std::uint32_t times_taken = 0;
  };

  void on_step(const ScheduleView& view, OperationId who) override {
    priorities_.step(view, who);
    if (signal_.wants_pairs() && reads_from_.is_settled(view.next(who), who)) [[likely]]
      return;
    look_at(view, who);
  }
  // Out of line: most steps do not get here.
  [[gnu::noinline]] void look_at(const ScheduleView& view, OperationId who) {
    const ReadsFrom::Pair pair = reads_from_.step(view, who);
    if (signal_.step(view, who, pair)) [[unlikely]]
      found_ = pair;
    steering_.step(pair);
  }
  void on_value(const ScheduleView& view, std::uint32_t value) override { signal_.value(view, value); }
  bool wants_footprints() const override { return signal_.wants_footprints(); }
  void on_stepped(OperationId who, const model::Footprint& footprint) override {
    if (signal_.wants_footprints()) signal_.stepped(who, footprint);
  }

  /// Takes the next schedule whose signature was seen no more often than the mean; if there is none, any.
  void take_another() {
    const double mean = static_cast<double>(executions_) / std::max<double>(1, static_cast<double>(signatures_));
    float seen = 0;
    for (std::size_t tries = 0; tries < corpus_.size(); ++tries) {
      taken_ = (taken_ + 1) % static_cast<std::uint32_t>(corpus_.size());
      seen = executions_with_[executions_with_.find(corpus_[taken_].signature)];
      if (seen <= mean) break;
    }
    const std::uint32_t level = std::min(corpus_[taken_].times_taken++, 31u);
    const double energy = static_cast<double>(1u << level) / std::max(1.0f, seen);
    energy_ = static_cast<std::uint32_t>(std::clamp<double>(energy, 1, kEnergyMost));
  }

  void keep() {
    if (found_.event != ReadsFrom::kNothing) schedule_.demand(found_, *random_);
    const Entry entry{schedule_, signal_.signature(), 0};
    if (corpus_.size() < kKept) return corpus_.push_back(entry);
    corpus_[oldest_] = entry;
    oldest_ = 1 + oldest_ % (kKept - 1);
  }

  EventPriorities priorities_;
  ReadsFrom reads_from_;
  CoverageSignal signal_;
  Steering steering_{reads_from_};
  LearnedLength length_;
  AbstractSchedule schedule_;        // of this execution
  ReadsFrom::Pair found_;            // of the last step that showed something new
  CommonVector<Entry> corpus_;       // the first entry has no constraints and is never replaced
  std::uint32_t oldest_ = 1;         // the next to be replaced when the corpus is full
  std::uint32_t taken_ = 0;          // index in the corpus
  std::uint32_t energy_ = 0;         // executions for which it is still taken
  Recollection executions_with_{0};  // the number of executions with each signature
  std::uint64_t signatures_ = 0;
  std::uint64_t executions_ = 0;
  std::uint32_t choices_ = 0;   // in this execution
  std::uint32_t patience_ = 0;  // choices after which the demands are dropped
};

}  // namespace

std::unique_ptr<Strategy> make_reads_from_feedback(Signal signal) {
  return std::make_unique<ReadsFromFeedback>(signal);
}

}  // namespace heddle::strategy
