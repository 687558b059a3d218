// Iterative preemption bounding. Musuvathi and Qadeer, PLDI 2007. The count is PC of the SCTBench study (Thomson,
// Donaldson and Betts 2016, section 2.3).
//
// A switch costs one if the operation that took the last step is still enabled. Switches away from an operation that is
// blocked or has ended are free, and all of them are explored. Differs from the paper in one way: leaving an operation
// that has yielded, or that could only time out, is free as well. The paper has no yields. The search is in
// bounded_search.hpp.
#include "strategy/builtin.hpp"

namespace heddle::strategy {
namespace {

std::uint32_t preemptions(const ScheduleView&, const Alternatives& alternatives, std::uint32_t j) {
  return j > 0 && alternatives.leaving_preempts() ? 1 : 0;
}

}  // namespace

std::unique_ptr<BoundedSearch> make_preemption_bounding(std::uint32_t bound) {
  return std::make_unique<BoundedSearch>(preemptions, "preemption", bound);
}

}  // namespace heddle::strategy
