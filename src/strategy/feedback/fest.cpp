// Fest: mutation of the stream of draws. Li, Desai and Padhye, "Feedback-guided Adaptive Testing of Distributed Systems
// Designs", NSDI 2026.
//
// POS samples an execution. If it shows something new under the signal (coverage_signal.hpp), what POS drew in it is
// kept (draw_stream.hpp). Later executions draw the same, except in a few places. Each kept stream gets a turn of kTurn
// executions; the newest that has had none goes first. Once all have had theirs, a coin decides each time: either a
// random one gets another turn, or as many executions draw everything anew. Every fourth turn draws anew in any case.
// So where the signal leads nowhere, Fest needs at most about four times as many executions as POS.
//
// Differs from the paper: a draw is identified by its operation and its index in it, not by its index alone, so a draw
// that comes earlier or later than before does not shift all others. Any signal may be chosen. Kept streams are not
// compared for similarity. A turn has 16 executions; in the paper it has 50.
//
// Memory: kKept recipes of 1 KiB, where a new one replaces the oldest. recollection.hpp bounds what is remembered as
// seen.
#include "base/page_vector.hpp"
#include "strategy/builtin.hpp"
#include "strategy/feedback/coverage_signal.hpp"
#include "strategy/feedback/draw_stream.hpp"
#include "strategy/feedback/reads_from.hpp"
#include "strategy/support/event_priorities.hpp"
#include "strategy/support/names.hpp"

namespace heddle::strategy {
namespace {

class StreamMutation final : public Strategy, private StepWatcher {
 public:
  StreamMutation(Signal signal, std::uint32_t mutations) : signal_(signal), mutations_(mutations) {}

  bool begin(Random& random) override {
    priorities_.begin();
    names_.begin();
    reads_from_.begin();
    signal_.begin();
    if (left_ == 0) take_another(random);
    if (left_ > 0) --left_;
    if (taken_ == kNone)
      stream_.begin({.seed = random.next()}, 0, random);
    else
      stream_.begin(corpus_[taken_].recipe, mutations_, random);
    return true;
  }

  OperationId choose_operation(const ScheduleView& view) override {
    signal_.choice(view);
    return priorities_.choose(view, [&](OperationId id) { return stream_.draw(names_(view, id)); });
  }

  /// Uniform to within one part in 2^32.
  std::uint32_t choose_value(const ScheduleView& view, std::uint32_t bound) override {
    return static_cast<std::uint32_t>((stream_.draw(names_(view, view.current)) >> 32) * bound >> 32);
  }

  void end(const ExecutionSummary&) override {
    if (signal_.end()) keep();
  }

  StepWatcher* watcher() override { return this; }
  MachinesShow machines_show() const override { return signal_.machines_show(); }

 private:
  static constexpr std::uint32_t kKept = 4096;
  static constexpr std::uint32_t kTurn = 16;
  static constexpr std::uint32_t kAnewOf = 4;
  static constexpr std::uint32_t kNone = ~0u;

  struct Entry {
    DrawStream::Recipe recipe;
    bool had_its_turn = false;
  };

  void on_step(const ScheduleView& view, OperationId who) override {
    priorities_.step(view, who);
    if (signal_.wants_pairs() && reads_from_.is_settled(view.next(who), who)) [[likely]]
      return;
    look_at(view, who);
  }
  // Out of line: most steps do not get here.
  [[gnu::noinline]] void look_at(const ScheduleView& view, OperationId who) {
    signal_.step(view, who, signal_.wants_pairs() ? reads_from_.step(view, who) : ReadsFrom::Pair{});
  }
  void on_value(const ScheduleView& view, std::uint32_t value) override { signal_.value(view, value); }
  bool wants_footprints() const override { return signal_.wants_footprints(); }
  void on_stepped(OperationId who, const model::Footprint& footprint) override {
    if (signal_.wants_footprints()) signal_.stepped(who, footprint);
  }

  void take_another(Random& random) {
    taken_ = kNone;
    if (corpus_.empty()) return;
    left_ = kTurn;
    if (++turns_ % kAnewOf == 0) return;
    if (waiting_ > 0) {
      taken_ = newest_;
      while (corpus_[taken_].had_its_turn)
        taken_ = (taken_ == 0 ? static_cast<std::uint32_t>(corpus_.size()) : taken_) - 1;
      corpus_[taken_].had_its_turn = true;
      --waiting_;
    } else if (random.below(2) == 0) {
      taken_ = random.below(static_cast<std::uint32_t>(corpus_.size()));
    }
  }

  void keep() {
    const Entry entry{stream_.recipe(), false};
    if (corpus_.size() < kKept) {
      newest_ = static_cast<std::uint32_t>(corpus_.size());
      corpus_.push_back(entry);
    } else {
      newest_ = (newest_ + 1) % kKept;
      waiting_ -= !corpus_[newest_].had_its_turn;
      corpus_[newest_] = entry;
    }
    ++waiting_;
  }

  EventPriorities priorities_;
  OperationNames names_;
  DrawStream stream_;
  ReadsFrom reads_from_;
  CoverageSignal signal_;
  std::uint32_t mutations_;      // changed places in a stream
  CommonVector<Entry> corpus_;   // a ring once it is full
  std::uint32_t newest_ = 0;     // index in the corpus
  std::uint32_t waiting_ = 0;    // entries of the corpus that wait for their turn
  std::uint32_t taken_ = kNone;  // index in the corpus; kNone: everything is drawn anew
  std::uint32_t left_ = 0;       // executions left in this turn
  std::uint64_t turns_ = 0;
};

}  // namespace

std::unique_ptr<Strategy> make_stream_mutation(Signal signal, std::uint32_t mutations) {
  return std::make_unique<StreamMutation>(signal, mutations);
}

}  // namespace heddle::strategy
