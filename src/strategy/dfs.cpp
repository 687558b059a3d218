// Depth-first search over all schedules, operations and values alike, each once.
//
// The first execution is the non-preemptive one: at every point the current operation if it is enabled, else the next
// in round-robin order (alternatives.hpp). Each further execution follows the last one up to its deepest point with an
// alternative left, takes that, and goes on as the first did. As in the SCTBench study (Thomson, Donaldson and Betts
// 2016, section 2.2). Nothing is kept but the path: twelve bytes a choice.
//
// A program that behaves differently when the same choices are made again cannot be searched. Where the alternatives
// of a point are not those of the last time, the execution is played out, everything below the point is given up, and
// `explored` says so. The search still ends: the path of an execution is always greater, in lexicographic order, than
// the one before.
#include "base/page_vector.hpp"
#include "strategy/alternatives.hpp"
#include "strategy/builtin.hpp"
#include "strategy/gaps.hpp"

namespace heddle::strategy {
namespace {

class DepthFirst final : public Strategy {
 public:
  bool begin(Random&) override {
    if (begun_ && !backtrack()) return false;
    begun_ = true;
    depth_ = 0;
    lost_ = false;
    return true;
  }

  OperationId choose_operation(const ScheduleView& view) override {
    const Alternatives alternatives(view);
    return alternatives.at(choose(alternatives.size(), alternatives.shape()));
  }

  std::uint32_t choose_value(const ScheduleView&, std::uint32_t bound) override {
    return choose(bound, Alternatives::shape_of_values(bound));
  }

  void end(const ExecutionSummary& summary) override {
    if (depth_ < path_.size()) give_up();  // it ended before it came to where the last one had been
    gaps_.count(summary.verdict);
  }

  std::string explored() const override { return "every schedule" + gaps_.text(); }

 private:
  struct Point {
    std::uint32_t chosen;  // the number of the alternative; those below it have been explored
    std::uint32_t count;
    std::uint32_t shape;
  };

  std::uint32_t choose(std::uint32_t count, std::uint32_t shape) {
    if (lost_) return 0;
    if (depth_ == path_.size()) path_.push_back({0, count, shape});
    const Point& point = path_[depth_];
    if (point.count != count || point.shape != shape) [[unlikely]] {
      give_up();
      return 0;
    }
    ++depth_;
    return point.chosen;
  }

  void give_up() {
    path_.resize(depth_);
    lost_ = true;
    ++gaps_.branches_cut;
  }

  bool backtrack() {
    while (!path_.empty() && path_.back().chosen + 1 == path_.back().count) path_.pop_back();
    if (path_.empty()) return false;
    ++path_.back().chosen;
    return true;
  }

  CommonVector<Point> path_;  // of the last execution
  std::size_t depth_ = 0;     // how much of it this execution has followed; at most its size
  bool begun_ = false;
  bool lost_ = false;  // this execution no longer follows the path
  Gaps gaps_;
};

}  // namespace

std::unique_ptr<Strategy> make_depth_first() { return std::make_unique<DepthFirst>(); }

}  // namespace heddle::strategy
