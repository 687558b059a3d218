// Random: at every scheduling point, picks one of the enabled operations, each with the same probability.
//
// Controlled random scheduling as in the SCTBench study (Thomson, Donaldson and Betts 2016, section 2.6), unchanged.
// Values are uniform too. It remembers nothing, so it never ends and may repeat a schedule. In a program of n
// operations with k independent steps each, no schedule is less likely than n^-nk. But some are far less likely than
// others: those in which one operation runs long without a switch.
#include "strategy/builtin.hpp"
#include "strategy/support/randomised.hpp"

namespace heddle::strategy {
namespace {

class RandomWalk final : public Randomised {
 public:
  OperationId choose_operation(const ScheduleView& view) override { return any_of(view.enabled); }
  bool is_fair() const override { return true; }
};

}  // namespace

std::unique_ptr<Strategy> make_random() { return std::make_unique<RandomWalk>(); }

}  // namespace heddle::strategy
