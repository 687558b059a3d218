// Iterative delay bounding. Emmi, Qadeer and Rakamaric, POPL 2011. The count is DC of the SCTBench study (Thomson,
// Donaldson and Betts 2016, section 2.4).
//
// A choice costs one delay for each enabled operation that it passes over, going round from the operation that took the
// last step in the order of creation. If there are no data choices, only one schedule costs nothing. Differs from the
// papers in one way: an operation that has yielded, or that could only time out, is passed over last and not first. The
// papers have no yields. The search is in bounded_search.hpp.
#include "strategy/builtin.hpp"

namespace heddle::strategy {
namespace {

std::uint32_t delays(const ScheduleView& view, const Alternatives&, std::uint32_t j) {
  return view.current == kNoOperation ? 0 : j;  // a schedule of length one has no delays
}

}  // namespace

std::unique_ptr<BoundedSearch> make_delay_bounding(std::uint32_t bound) {
  return std::make_unique<BoundedSearch>(delays, "delay", bound);
}

}  // namespace heddle::strategy
