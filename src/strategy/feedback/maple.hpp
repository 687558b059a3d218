// Maple: predicts orders of a few accesses that no execution has shown yet, and steers the next executions towards
// them. Yu, Narayanasamy, Pereira and Pokam, OOPSLA 2012.
//
// It tests iRoots (iroots.hpp): the order of two conflicting accesses (idiom 1), and the ways in which one operation
// comes between two accesses of another (idioms 2 to 5). Every execution shows which iRoots happen (dependencies.hpp).
// The first 16 executions, and then every 16th, also show which might happen (iroot_profile.hpp). The next execution
// targets one that has not happened yet, idiom 1 first, and enforces it as far as possible (enforced_order.hpp). An
// iRoot that did not happen in four executions that targeted it is given up. When none is left, Maple is a random walk.
// Nothing is enforced any more in an execution that has become twice as long as the longest that ended by itself, and
// longer than 4,096 choices.
//
// Differs from the paper: accesses are the events of scheduling points, so plain memory counts only where its accesses
// are scheduling points. Taking a lock is an access to it; releasing it is not. Two accesses belong together if they
// are close among the operation's accesses to shared resources, not in time. An iRoot with two dependencies is tested
// only if each of them has happened. Values, and everything that an iRoot does not determine, are uniform.
#pragma once

#include <cstdint>
#include <string>

#include "base/page_vector.hpp"
#include "strategy/feedback/dependencies.hpp"
#include "strategy/feedback/enforced_order.hpp"
#include "strategy/feedback/iroot_profile.hpp"
#include "strategy/feedback/iroots.hpp"
#include "strategy/support/learned_length.hpp"
#include "strategy/support/names.hpp"
#include "strategy/support/randomised.hpp"
#include "strategy/support/shared_resources.hpp"

namespace heddle::strategy {

class Maple final : public Randomised, private StepWatcher {
 public:
  bool begin(Random& random) override;
  OperationId choose_operation(const ScheduleView& view) override {
    ++choices_;
    return order_.is_on() ? order_.choose(view, *random_) : any_of(view.enabled);
  }
  void end(const ExecutionSummary& summary) override;
  StepWatcher* watcher() override { return this; }
  bool is_fair() const override { return target_ == IRoots::kNone; }
  std::string explain() const override;

  const IRoots& roots() const { return roots_; }

 private:
  static constexpr std::uint32_t kProfiled = 16;  // the first this many executions are profiled, then one in this many
  // In this try the first access does not wait for the second, which may be reachable only after the first.
  static constexpr std::uint32_t kTryWithoutMeeting = 3;
  static constexpr std::uint32_t kPatienceLeast = 4096;  // choices

  void on_step(const ScheduleView& view, OperationId who) override;
  IRoot::Site site_of(const model::Event& event);
  void enforce(const IRoot& root);

  IRoots roots_;
  Dependencies dependencies_;
  IRootProfile profile_;
  SharedResources shared_;
  EnforcedOrder order_;
  SiteNames site_names_;
  CommonVector<AccessSite> sites_;  // indexed by name
  std::uint32_t target_ = IRoots::kNone;
  LearnedLength length_;
  std::uint32_t choices_ = 0;  // in this execution
  std::uint32_t executions_ = 0;
  bool is_profiled_ = false;
};

}  // namespace heddle::strategy
