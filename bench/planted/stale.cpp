// Stale: what was read under a lock is no longer so when the lock is taken again.
#include "kinds.hpp"

namespace planted {

void demand_stale(Draft& draft) {
  const std::size_t victim = draft.victim();
  const std::uint8_t word = draft.new_word();
  const std::uint8_t lock = draft.new_lock();
  draft.append(draft.other_than(victim), {{Op::lock, lock}, {Op::add, word}, {Op::unlock, lock}});
  const Code between = draft.numbers().one_in(2) ? draft.idle() : Code{};
  draft.append_armed(
      victim, joined({{{Op::lock, lock}, {Op::load, word}, {Op::keep, 0}, {Op::unlock, lock}},
                      between,
                      {{Op::lock, lock}, {Op::load, word}, {Op::changed, 0}, {Op::demand, 0, 1}, {Op::unlock, lock}}}));
  draft.demanded(victim);
}

}  // namespace planted
