// Lost wake-up: a thread looks whether it has to wait, is told that it has not, and waits.
#include "kinds.hpp"

namespace planted {

void demand_lost_wakeup(Draft& draft) {
  const std::size_t victim = draft.victim();
  const std::uint8_t word = draft.new_word();
  const std::uint8_t lock = draft.new_lock();
  draft.append(draft.loner(), {{Op::store, word, 1}, {Op::broadcast, lock}});
  const Code between = draft.numbers().one_in(2) ? draft.idle() : Code{};
  const Code wait = joined({between, {{Op::lock, lock}, {Op::wait, lock}, {Op::unlock, lock}}});
  const Instruction if_zero = {Op::if_zero, 0, static_cast<std::uint8_t>(wait.size())};
  draft.append_armed(victim, joined({{{Op::load, word}, if_zero}, wait}));
}

}  // namespace planted
