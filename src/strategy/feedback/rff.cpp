// RFF: reads-from feedback. Wolff, Shi, Duck, Mathur and Roychoudhury, "Greybox Fuzzing for Concurrency Testing",
// ASPLOS 2024.
//
// An abstract schedule (abstract_schedule.hpp) says of a few pairs of events that one shall read from the other, or
// shall not. An execution takes one of those that were kept, changes it a little, and follows it as far as it can
// (steering.hpp), with the priorities of POS where it leaves a choice. If the execution shows something new under the
// signal (coverage_signal.hpp), its abstract schedule is kept too. How often one is taken depends on how often what it
// showed was seen (the COE schedule of AFLFast, Boehme, Pham and Roychoudhury, CCS 2016): never while that is above the
// mean, else in 2^k executions in a row, divided by how often, at most 16, where k is how often it was taken.
//
// Differs from the paper: one that is kept also demands the last new pair that it showed, else it might not show it
// again, and nothing could be built on it. Pairs are those of all events with a resource, not of memory alone. Which
// pairs can be demanded is known from the events seen so far instead of a race predictor. An execution gives up its
// demands when it is twice as long as the longest that ended by itself: to hold back a change for which others spin
// would not end. No coverage of code. Values are uniform.
//
// Memory: kKept abstract schedules, where a new one takes the place of the oldest; what was seen is bounded as
// recollection.hpp says.
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
    // A priority has two bits that do not rank it; one of them says that the constraints have a say.
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
    std::uint64_t signature = 0;  // of the execution for which it was kept
    std::uint32_t times_taken = 0;
  };

  void on_step(const ScheduleView& view, OperationId who) override {
    priorities_.step(view, who);
    if (signal_.wants_pairs() && reads_from_.is_settled(view.next(who), who)) [[likely]]
      return;
    look_at(view, who);
  }
  // Out of line: most steps do not come here.
  [[gnu::noinline]] void look_at(const ScheduleView& view, OperationId who) {
    const ReadsFrom::Pair pair = reads_from_.step(view, who);
    if (signal_.step(view, who, pair)) [[unlikely]]
      found_ = pair;
    steering_.step(pair);
  }
  void on_value(const ScheduleView& view, std::uint32_t value) override { signal_.value(view, value); }

  /// The next in turn whose signature is not seen more often than the mean; any, if there is none.
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
  CommonVector<Entry> corpus_;       // the first has no constraints, and stays
  std::uint32_t oldest_ = 1;         // when the corpus is full
  std::uint32_t taken_ = 0;          // of the corpus
  std::uint32_t energy_ = 0;         // executions for which it is still taken
  Recollection executions_with_{0};  // a signature
  std::uint64_t signatures_ = 0;
  std::uint64_t executions_ = 0;
  std::uint32_t choices_ = 0;   // in this execution
  std::uint32_t patience_ = 0;  // choices for which it has demands
};

}  // namespace

std::unique_ptr<Strategy> make_reads_from_feedback(Signal signal) {
  return std::make_unique<ReadsFromFeedback>(signal);
}

}  // namespace heddle::strategy
