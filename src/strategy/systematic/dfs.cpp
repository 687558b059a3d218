// Depth-first search over all schedules, of operations and values alike, each once.
//
// The first execution is the non-preemptive one: at every point it takes the current operation if that is enabled, else
// the next in round-robin order (alternatives.hpp). Each further execution follows the last one up to its deepest point
// with an alternative left, takes that alternative, and continues like the first. This is as in the SCTBench study
// (Thomson, Donaldson and Betts 2016, section 2.2). Only the path is kept.
//
// `reduce=1` leaves out schedules that differ from an explored one only in the order of independent steps: see
// sleep_sets.hpp. One schedule of each class of equivalent schedules is explored, if the steps between scheduling
// points touch nothing shared: where races are bugs, or with every access as a scheduling point. An execution in which
// all operations that could go on are asleep shows nothing new. It is completed, and nothing below it is explored.
//
// A program that behaves differently when the same choices are made again cannot be searched. If the alternatives of a
// point differ from the last time, the execution is completed, everything below the point is given up, and `explored`
// says so. The search still ends: the path of an execution is always lexicographically greater than the previous one.
#include "base/page_vector.hpp"
#include "strategy/builtin.hpp"
#include "strategy/support/alternatives.hpp"
#include "strategy/systematic/gaps.hpp"
#include "strategy/systematic/sleep_sets.hpp"

namespace heddle::strategy {
namespace {

class DepthFirst final : public Strategy, private StepWatcher {
 public:
  explicit DepthFirst(bool reduces) : reduces_(reduces) {}

  bool begin(Random&) override {
    if (begun_ && !backtrack()) return false;
    begun_ = true;
    depth_ = 0;
    lost_ = false;
    sleep_.begin();
    return true;
  }

  OperationId choose_operation(const ScheduleView& view) override {
    const Alternatives alternatives(view);
    if (!reduces_) return alternatives.at(choose(alternatives.size(), alternatives.shape(), 0));
    const std::uint32_t chosen = choose(alternatives.size(), alternatives.shape(), asleep_at(alternatives));
    const OperationId who = alternatives.at(chosen);
    if (!lost_) sleep_.choose(depth_ - 1, who);
    return who;
  }

  std::uint32_t choose_value(const ScheduleView&, std::uint32_t bound) override {
    return choose(bound, Alternatives::shape_of_values(bound), 0);
  }

  void end(const ExecutionSummary& summary) override {
    if (depth_ < path_.size()) give_up();  // it ended before it reached the end of the path
    sleep_.end();
    gaps_.count(summary);
  }

  StepWatcher* watcher() override { return reduces_ ? this : nullptr; }
  bool is_systematic() const override { return true; }
  std::string explored() const override {
    return gaps_.schedules() + (reduces_ ? ", but for the order of independent steps," : "") + gaps_.text();
  }

 private:
  struct Point {
    std::uint32_t chosen;  // number of the chosen alternative; those below it have been explored
    std::uint32_t count;
    std::uint32_t shape;
    std::uint64_t asleep;  // one bit for each alternative; those after the first 64 are always awake
  };

  bool wants_footprints() const override { return true; }
  /// An operation that goes on without being chosen may be asleep too: then nothing new comes of it.
  void on_step(const ScheduleView&, OperationId who) override {
    if (!lost_ && !sleep_.has_chosen() && sleep_.has(who)) lost_ = true;
  }
  void on_stepped(OperationId who, const model::Footprint& footprint) override {
    if (!lost_) sleep_.step(who, footprint);
  }

  static std::uint64_t bit(std::uint32_t alternative) { return alternative < 64 ? std::uint64_t{1} << alternative : 0; }
  static std::uint32_t first_awake(const Point& point, std::uint32_t from) {
    while (from < point.count && (point.asleep & bit(from)) != 0) ++from;
    return from;
  }
  std::uint64_t asleep_at(const Alternatives& alternatives) const {
    std::uint64_t asleep = 0;
    for (std::uint32_t i = 0; i < alternatives.size(); ++i)
      if (sleep_.has(alternatives.at(i))) asleep |= bit(i);
    return asleep;
  }

  std::uint32_t choose(std::uint32_t count, std::uint32_t shape, std::uint64_t asleep) {
    if (lost_) return 0;
    if (depth_ == path_.size()) {
      const Point fresh{0, count, shape, asleep};
      const std::uint32_t first = first_awake(fresh, 0);
      if (first == count) {  // nothing new
        lost_ = true;
        return 0;
      }
      path_.push_back(fresh);
      path_.back().chosen = first;
    }
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
    sleep_.shorten(depth_);
    lost_ = true;
    ++gaps_.branches_cut;
  }

  bool backtrack() {
    while (!path_.empty()) {
      Point& last = path_.back();
      sleep_.done(path_.size() - 1);
      last.chosen = first_awake(last, last.chosen + 1);
      if (last.chosen < last.count) return true;
      path_.pop_back();
      sleep_.shorten(path_.size());
    }
    return false;
  }

  const bool reduces_;
  SleepSets sleep_;
  CommonVector<Point> path_;  // of the last execution
  std::size_t depth_ = 0;     // how much of it this execution has followed; at most its size
  bool begun_ = false;
  bool lost_ = false;  // this execution no longer follows the path
  Gaps gaps_;
};

}  // namespace

std::unique_ptr<Strategy> make_depth_first(bool reduces) { return std::make_unique<DepthFirst>(reduces); }

}  // namespace heddle::strategy
