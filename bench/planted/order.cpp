// Order: a thread sees what another one has done although that comes late, or does not although that comes early.
#include "kinds.hpp"

namespace planted {

void demand_order(Draft& draft) {
  const std::size_t victim = draft.victim();
  const std::size_t other = draft.other_than(victim);
  const std::uint8_t word = draft.new_word();
  const std::uint8_t wanted = draft.is_later(other, victim) ? 1 : 0;
  draft.append(other, {{Op::store, word, 1}});
  draft.append_armed(victim, {{Op::load, word}, {Op::demand, 0, wanted}});
  draft.demanded(victim);
}

}  // namespace planted
