// Atomicity: between two looks at a word another thread changes it.
#include "kinds.hpp"

namespace planted {

void demand_atomicity(Draft& draft) {
  const std::size_t victim = draft.victim();
  const std::uint8_t word = draft.new_word();
  draft.append(draft.other_than(victim), {{Op::add, word}});
  const Code between = draft.numbers().one_in(2) ? draft.idle() : Code{};
  draft.append_armed(
      victim,
      joined({{{Op::load, word}, {Op::keep, 0}}, between, {{Op::load, word}, {Op::changed, 0}, {Op::demand, 0, 1}}}));
  draft.demanded(victim);
}

}  // namespace planted
