// Fair PCT: PCT for the first part of an execution, then a uniform random walk.
//
// Plain PCT starves operations: a loop that waits for another operation without yielding runs to the step bound if it
// has the higher priority. After `prefix` choices this strategy gives every operation a turn. Such an execution then
// ends, and one that does not end is a livelock. The idea is that of Coyote's fair prioritisation strategy.
//
// Within the prefix, the choices are those of pct.cpp. So is the promise, as long as the execution ends there. By
// default the prefix is twice the learned length, from 100 to 10,000 choices: long enough for an execution that does
// not spin, and short compared with the step bound. In the first execution it is 100.
//
// Differs from pct.cpp in what it learns: if an execution outlived its prefix, only the random part counts. Either the
// prefix was spent in a spin loop, which says nothing, or the execution really is longer. In that case the part that is
// counted makes the next prefix long enough.
#include <algorithm>

#include "strategy/builtin.hpp"
#include "strategy/sampling/priorities.hpp"
#include "strategy/support/learned_length.hpp"
#include "strategy/support/randomised.hpp"

namespace heddle::strategy {
namespace {

constexpr std::uint32_t kPrefixMin = 100;
constexpr std::uint32_t kPrefixMax = 10'000;  // compare 200,000 steps, the default bound

class FairPct final : public Randomised {
 public:
  FairPct(std::uint32_t depth, std::uint32_t prefix) : priorities_(depth), fixed_prefix_(prefix) {}

  bool begin(Random& random) override {
    const std::uint32_t learned = std::min(length_.value(), kPrefixMax);
    prefix_ = fixed_prefix_ != 0 ? fixed_prefix_ : std::clamp(2 * learned, kPrefixMin, kPrefixMax);
    fair_choices_ = 0;
    priorities_.begin(random, std::min(length_.value(), prefix_));
    return Randomised::begin(random);
  }

  OperationId choose_operation(const ScheduleView& view) override {
    if (priorities_.choices() < prefix_) return priorities_.choose(view.enabled);
    ++fair_choices_;
    return any_of(view.enabled);
  }

  void end(const ExecutionSummary& summary) override {
    length_.learn(fair_choices_ == 0 ? priorities_.choices() : fair_choices_, summary.verdict);
  }

  // A prefix set by the user may reach the step bound: then no part was fair.
  bool is_fair() const override { return prefix_ <= kPrefixMax || fair_choices_ > prefix_; }

 private:
  Priorities priorities_;
  LearnedLength length_;
  std::uint32_t fixed_prefix_;  // 0: twice the learned length
  std::uint32_t prefix_ = 0;    // of this execution
  std::uint32_t fair_choices_ = 0;
};

}  // namespace

std::unique_ptr<Strategy> make_fair_pct(std::uint32_t depth, std::uint32_t prefix) {
  return std::make_unique<FairPct>(depth, prefix);
}

}  // namespace heddle::strategy
