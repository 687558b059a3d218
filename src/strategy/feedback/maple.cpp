#include "strategy/feedback/maple.hpp"

#include <algorithm>

#include "model/dependence.hpp"
#include "strategy/builtin.hpp"

namespace heddle::strategy {

bool Maple::begin(Random& random) {
  is_profiled_ = executions_ < kProfiled || executions_ % kProfiled == 0;
  ++executions_;
  dependencies_.begin();
  shared_.begin();
  if (is_profiled_) profile_.begin();
  order_.clear();
  choices_ = 0;
  target_ = roots_.take();
  if (target_ != IRoots::kNone) {
    enforce(roots_[target_]);
    order_.begin(roots_.tries(target_) != kTryWithoutMeeting, std::max(kPatienceLeast, 2 * length_.value()));
  }
  return Randomised::begin(random);
}

void Maple::on_step(const ScheduleView& view, OperationId who) {
  const model::Event event = view.next(who);
  const std::uint32_t resource = shared_.use(view, who);
  if (is_profiled_) profile_.step(view, who);
  if (!competes(event)) return;
  if (order_.is_on()) order_.step(view, who);
  const bool is_shared = shared_.is_racy(resource);
  if (!is_shared && !is_profiled_) return;
  const IRoot::Site site = site_of(event);
  if (is_shared) dependencies_.access(who, event.resource, !changes(event), site, roots_);
  if (is_profiled_) profile_.access(view, who, site, resource, is_shared);
}

IRoot::Site Maple::site_of(const model::Event& event) {
  const IRoot::Site site = site_names_(event);
  if (site == sites_.size()) sites_.push_back({event.place, event.kind});
  return site;
}

void Maple::enforce(const IRoot& root) {
  constexpr std::uint8_t kT = 0;
  constexpr std::uint8_t kU = 1;
  const std::uint8_t second = root.idiom >= 4 ? 1 : 0;  // the resource of a2 and b2
  order_.add({sites_[root.a1], kT, 0});
  if (root.idiom <= 2)
    order_.add({sites_[root.b1], kU, 0});
  else if (root.idiom <= 4) {
    order_.add({sites_[root.b1], kU, 0});
    order_.add({sites_[root.b2], kU, second});
  } else {
    order_.add({sites_[root.b2], kU, second});
    order_.add({sites_[root.b1], kU, 0});
  }
  if (root.idiom >= 2) order_.add({sites_[root.a2], kT, second});
}

void Maple::end(const ExecutionSummary& summary) {
  length_.learn(choices_, summary.verdict);
  if (is_profiled_) profile_.end(roots_);
  if (target_ != IRoots::kNone) roots_.put_back(target_);
}

std::string Maple::explain() const {
  return std::to_string(roots_.covered()) + " orders of accesses happened, of " + std::to_string(roots_.size()) +
         " that did or might\n";
}

std::unique_ptr<Maple> make_maple() { return std::make_unique<Maple>(); }

}  // namespace heddle::strategy
