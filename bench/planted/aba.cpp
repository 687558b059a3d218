// ABA: a compare-exchange succeeds although the word has meanwhile been another and the same again.
#include "kinds.hpp"

namespace planted {

void demand_aba(Draft& draft) {
  const std::size_t victim = draft.victim();
  const std::size_t other = draft.other_than(victim);
  const std::uint8_t top = draft.new_word();
  const std::uint8_t version = draft.new_word();
  constexpr std::uint8_t kTaken = 8;
  const Code between = draft.numbers().one_in(2) ? draft.idle() : Code{};
  draft.append(other, joined({{{Op::store, top, kTaken}}, between, {{Op::add, version}, {Op::store, top, 0}}}));
  draft.append_armed(victim, {{Op::load, version},
                              {Op::keep, 0},
                              {Op::load, top},
                              {Op::demand, 0, 0},
                              {Op::swap, top, kTaken},
                              {Op::demand, 0, 1},
                              {Op::load, version},
                              {Op::changed, 0},
                              {Op::demand, 0, 1}});
  draft.demanded(victim);
}

}  // namespace planted
