// Iterative bounding: all schedules of cost 0, then all of cost 1, and so on, each executed exactly once.
//
// Algorithm 1 of Musuvathi and Qadeer (PLDI 2007), with the cost left open: ipb.cpp counts preemptions, idb.cpp delays.
// An execution follows a prefix, takes an alternative there, and from then on always the one that costs nothing. Every
// other alternative that it passes becomes work: for this bound if it costs nothing, else for a later one. The work of
// a bound is done depth first, so what is kept is mostly the work of the bounds to come.
//
// Differs from the paper in two ways. Values (which waiter wakes, what choose(n) returns) are alternatives that cost
// nothing. And a prefix is replayed rather than restored, so a program that does not do the same twice is noticed: the
// execution is played out, the branch given up, and `explored` says so.
//
// Memory: 12 bytes for an alternative, 8 for a choice of an execution that left one, up to 256 MiB; after that
// alternatives are lost, and `explored` says so.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "base/page_vector.hpp"
#include "strategy/strategy.hpp"
#include "strategy/support/alternatives.hpp"
#include "strategy/systematic/gaps.hpp"
#include "strategy/systematic/schedule_tree.hpp"

namespace heddle::strategy {

class BoundedSearch final : public Strategy {
 public:
  static constexpr std::uint32_t kUnlimited = 0xffff'ffffu;
  static constexpr std::size_t kBytesMax = std::size_t{256} << 20;

  /// What alternative j of a point costs. Number 0 must cost nothing.
  using Cost = std::uint32_t (*)(const ScheduleView& view, const Alternatives& alternatives, std::uint32_t j);

  /// `unit` is what a cost of one is called: preemption, delay.
  BoundedSearch(Cost cost, const char* unit, std::uint32_t bound_max, std::size_t bytes_max = kBytesMax);

  bool begin(Random& random) override;
  OperationId choose_operation(const ScheduleView& view) override;
  std::uint32_t choose_value(const ScheduleView& view, std::uint32_t bound) override;
  void end(const ExecutionSummary& summary) override;
  bool is_systematic() const override { return true; }
  std::string explored() const override;

  /// The cost of the execution that goes on, or of the last one.
  std::uint32_t bound() const { return bound_; }
  std::uint64_t executions_at(std::uint32_t cost) const;
  /// Of the work to be done.
  std::size_t bytes() const { return tree_.bytes() + items_ * sizeof(Item); }

 private:
  struct Item {
    ScheduleTree::Node node;  // held by the item
    std::uint32_t position;   // in the node's execution, where `choice` is taken instead
    Choice choice;
  };
  struct Level {
    CommonVector<Item> work;  // found at lower bounds, in that order
    std::size_t done = 0;     // of work
  };
  struct Found {
    std::uint32_t position;
    Choice choice;
    std::uint32_t cost;  // beyond bound_
  };

  bool take_item();
  void follow(const Item& item);
  /// The choice to be made here, if the prefix reaches so far.
  const Choice* prescribed(std::uint32_t shape);
  void give_up();
  void note(Choice alternative, std::uint32_t cost);
  void add_work(ScheduleTree::Node node, const Found& found);

  Cost cost_;
  const char* unit_;
  std::uint32_t bound_max_;
  std::size_t bytes_max_;

  ScheduleTree tree_;
  std::deque<Level> ahead_;                // indexed by cost beyond bound_; the last one has work
  CommonVector<Item> stack_;               // work of this bound that was found at this bound
  std::size_t items_ = 0;                  // in stack_ and, not done, in ahead_
  std::vector<std::uint64_t> executions_;  // indexed by cost
  std::uint32_t bound_ = 0;
  bool begun_ = false;
  bool left_out_ = false;  // some alternative costs more than bound_max_
  Gaps gaps_;

  // This execution.
  ScheduleTree::Node origin_ = ScheduleTree::kNone;  // held; the prefix is its, but for the last choice
  CommonVector<ScheduleTree::Step> path_;            // the prefix, then what was chosen since
  CommonVector<Found> found_;
  std::uint32_t prefix_ = 0;    // how much of path_ was prescribed
  std::uint32_t position_ = 0;  // the next choice
  bool lost_ = false;           // the prefix could not be followed
};

}  // namespace heddle::strategy
