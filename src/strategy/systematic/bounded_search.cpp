#include "strategy/systematic/bounded_search.hpp"

namespace heddle::strategy {

BoundedSearch::BoundedSearch(Cost cost, const char* unit, std::uint32_t bound_max, std::size_t bytes_max)
    : cost_(cost), unit_(unit), bound_max_(bound_max), bytes_max_(bytes_max) {}

bool BoundedSearch::begin(Random&) {
  path_.clear();
  found_.clear();
  prefix_ = 0;
  position_ = 0;
  lost_ = false;
  if (begun_) return take_item();
  begun_ = true;
  return true;
}

bool BoundedSearch::take_item() {
  if (!stack_.empty()) {
    const Item item = stack_.back();
    stack_.pop_back();
    follow(item);
    return true;
  }
  while (!ahead_.empty()) {
    Level& level = ahead_.front();
    if (level.done < level.work.size()) {
      follow(level.work[level.done++]);
      return true;
    }
    if (ahead_.size() == 1) break;
    ahead_.pop_front();  // this also frees the memory of finished work
    ++bound_;
  }
  return false;
}

void BoundedSearch::follow(const Item& item) {
  --items_;
  tree_.read(item.node, item.position + 1, path_);
  path_.back().choice = item.choice;
  prefix_ = item.position + 1;
  origin_ = item.node;
}

const Choice* BoundedSearch::prescribed(std::uint32_t shape) {
  if (position_ >= prefix_ || lost_) return nullptr;
  const ScheduleTree::Step& step = path_[position_];
  if (step.shape != shape) [[unlikely]] {
    give_up();
    return nullptr;
  }
  ++position_;
  return &step.choice;
}

void BoundedSearch::give_up() {
  lost_ = true;
  ++gaps_.branches_cut;
}

void BoundedSearch::note(Choice alternative, std::uint32_t cost) {
  if (cost > bound_max_ - bound_)
    left_out_ = true;
  else
    found_.push_back({position_, alternative, cost});
}

OperationId BoundedSearch::choose_operation(const ScheduleView& view) {
  const Alternatives alternatives(view);
  const std::uint32_t shape = alternatives.shape();
  if (const Choice* choice = prescribed(shape)) {
    if (view.is_enabled(choice->operation())) return choice->operation();
    give_up();  // two different shapes with the same hash
  }
  if (lost_) return alternatives.at(0);
  for (std::uint32_t j = 1; j < alternatives.size(); ++j)
    note(Choice::of_operation(alternatives.at(j)), cost_(view, alternatives, j));
  path_.push_back({Choice::of_operation(alternatives.at(0)), shape});
  ++position_;
  return alternatives.at(0);
}

std::uint32_t BoundedSearch::choose_value(const ScheduleView&, std::uint32_t bound) {
  const std::uint32_t shape = Alternatives::shape_of_values(bound);
  if (const Choice* choice = prescribed(shape)) {
    if (choice->is_value() && choice->value() < bound) return choice->value();
    give_up();
  }
  if (lost_) return 0;
  for (std::uint32_t value = 1; value < bound; ++value) note(Choice::of_value(value), 0);
  path_.push_back({Choice::of_value(0), shape});
  ++position_;
  return 0;
}

void BoundedSearch::end(const ExecutionSummary& summary) {
  gaps_.count(summary);
  executions_.resize(bound_ + 1);
  ++executions_[bound_];
  if (!lost_ && position_ < prefix_) give_up();  // it ended before it reached the end of the prefix
  if (!found_.empty() && bytes() + found_.size() * sizeof(Item) > bytes_max_) {
    gaps_.alternatives_lost += found_.size();
    found_.clear();
  }
  if (!found_.empty()) {
    const std::uint32_t shared = prefix_ == 0 ? 0 : prefix_ - 1;  // the last choice of the prefix is already its own
    const ScheduleTree::Node node = tree_.add(origin_, shared, path_.span().subspan(shared));
    for (const Found& found : found_) add_work(node, found);
    tree_.release(node);
  }
  if (origin_ != ScheduleTree::kNone) tree_.release(origin_);
  origin_ = ScheduleTree::kNone;
}

void BoundedSearch::add_work(ScheduleTree::Node node, const Found& found) {
  tree_.hold(node);
  ++items_;
  const Item item{node, found.position, found.choice};
  if (found.cost == 0) {
    stack_.push_back(item);
    return;
  }
  while (ahead_.size() <= found.cost) ahead_.emplace_back();
  ahead_[found.cost].work.push_back(item);
}

std::uint64_t BoundedSearch::executions_at(std::uint32_t cost) const {
  return cost < executions_.size() ? executions_[cost] : 0;
}

std::string BoundedSearch::explored() const {
  std::string text = gaps_.schedules();
  if (left_out_ && bound_max_ == 0) text += std::string(" without a ") + unit_;
  if (left_out_ && bound_max_ > 0) text += " with at most " + Gaps::number(bound_max_, unit_);
  return text + gaps_.text();
}

}  // namespace heddle::strategy
