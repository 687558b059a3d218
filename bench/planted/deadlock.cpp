// Deadlock: two or three threads take locks in a circle.
#include "kinds.hpp"

namespace planted {
namespace {

Code both(std::uint8_t outer, const Code& between, std::uint8_t inner) {
  return joined({{{Op::lock, outer}}, between, {{Op::lock, inner}, {Op::unlock, inner}, {Op::unlock, outer}}});
}

}  // namespace

void demand_deadlock(Draft& draft) {
  const std::size_t victim = draft.victim();
  const std::uint8_t a = draft.new_lock();
  const std::uint8_t b = draft.new_lock();
  const std::size_t other = draft.other_than(victim);
  const auto some = [&] { return draft.numbers().one_in(2) ? draft.idle() : Code{}; };
  if (draft.codes() > 2 && draft.numbers().one_in(3)) {
    std::size_t third = draft.other_than(victim);
    while (third == other) third = draft.other_than(victim);
    const std::uint8_t c = draft.new_lock();
    draft.append(third, both(c, some(), a));
    draft.append(other, both(b, some(), c));
  } else {
    draft.append(other, both(b, some(), a));
  }
  draft.append_armed(victim, both(a, some(), b));
}

}  // namespace planted
