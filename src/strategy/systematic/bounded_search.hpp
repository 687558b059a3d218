// Iterative bounding: all schedules of cost 0, then all of cost 1, and so on, each executed exactly once.
//
// Algorithm 1 of Musuvathi and Qadeer (PLDI 2007), with the cost left open: ipb.cpp counts preemptions, idb.cpp delays.
// An execution follows a prefix, takes an alternative there, and from then on always takes the one that costs nothing.
// Every other alternative on the way becomes work: for this bound if it costs nothing, otherwise for a later one. The
// work of a bound is done depth first, so most of what is kept is work for later bounds.
//
// Differs from the paper in two ways. Values (which waiter wakes, what choose(n) returns) are alternatives that cost
// nothing. And a prefix is replayed rather than restored, so a program that does not behave the same twice is noticed.
// The execution is then completed, the branch is given up, and `explored` says so.
//
// Memory: 12 bytes for an alternative, 8 for a choice of an execution that left one, up to 256 MiB. After that,
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

  /// The cost of alternative j of a point. Number 0 must cost nothing.
  using Cost = std::uint32_t (*)(const ScheduleView& view, const Alternatives& alternatives, std::uint32_t j);

  /// `unit` names a cost of one: preemption, delay.
  BoundedSearch(Cost cost, const char* unit, std::uint32_t bound_max, std::size_t bytes_max = kBytesMax);

  bool begin(Random& random) override;
  OperationId choose_operation(const ScheduleView& view) override;
  std::uint32_t choose_value(const ScheduleView& view, std::uint32_t bound) override;
  void end(const ExecutionSummary& summary) override;
  bool is_systematic() const override { return true; }
  std::string explored() const override;

  /// The cost of the current execution, or of the last one.
  std::uint32_t bound() const { return bound_; }
  std::uint64_t executions_at(std::uint32_t cost) const;
  /// The memory used by pending work.
  std::size_t bytes() const { return tree_.bytes() + items_ * sizeof(Item); }

 private:
  struct Item {
    ScheduleTree::Node node;  // held by the item
    std::uint32_t position;   // in the node's execution, where `choice` is taken instead
    Choice choice;
  };
  struct Level {
    CommonVector<Item> work;  // found at lower bounds, in that order
    std::size_t done = 0;     // number of items done
  };
  struct Found {
    std::uint32_t position;
    Choice choice;
    std::uint32_t cost;  // in addition to bound_
  };

  bool take_item();
  void follow(const Item& item);
  /// The choice to make here, if the prefix reaches this far.
  const Choice* prescribed(std::uint32_t shape);
  void give_up();
  void note(Choice alternative, std::uint32_t cost);
  void add_work(ScheduleTree::Node node, const Found& found);

  Cost cost_;
  const char* unit_;
  std::uint32_t bound_max_;
  std::size_t bytes_max_;

  ScheduleTree tree_;
  std::deque<Level> ahead_;                // indexed by cost in addition to bound_; the last one has work
  CommonVector<Item> stack_;               // work of this bound that was found at this bound
  std::size_t items_ = 0;                  // in stack_ and, pending, in ahead_
  std::vector<std::uint64_t> executions_;  // indexed by cost
  std::uint32_t bound_ = 0;
  bool begun_ = false;
  bool left_out_ = false;  // some alternative costs more than bound_max_
  Gaps gaps_;

  // State of this execution.
  ScheduleTree::Node origin_ = ScheduleTree::kNone;  // held; provides the prefix except for its last choice
  CommonVector<ScheduleTree::Step> path_;            // the prefix, then the choices made since
  CommonVector<Found> found_;
  std::uint32_t prefix_ = 0;    // how much of path_ was prescribed
  std::uint32_t position_ = 0;  // the next choice
  bool lost_ = false;           // the prefix could not be followed
};

}  // namespace heddle::strategy
