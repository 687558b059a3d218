// Data: one value of several, that the environment chooses or that two threads put into a queue.
#include "kinds.hpp"

namespace planted {
namespace {

constexpr std::size_t kTakersMax = 4;

void demand_choice(Draft& draft, std::size_t victim) {
  const auto bound = static_cast<std::uint8_t>(2 + draft.numbers().below(7));
  const std::uint8_t wanted = draft.numbers().below(bound);
  draft.append_armed(victim, {{Op::choose, 0, bound}, {Op::demand, 0, wanted}});
}

// Together with the threads that share their code, both put at least as many values as are taken, so that no thread
// waits for ever. The later one's is to be the first.
void demand_from_queue(Draft& draft, std::size_t victim) {
  const std::uint8_t queue = draft.new_queue();
  const std::size_t first = draft.other_than(victim);
  std::size_t second = draft.other_than(victim);
  while (second == first) second = draft.other_than(victim);
  const std::uint8_t wanted = draft.is_later(first, second) ? 1 : 2;
  const auto put = [&](std::size_t code, std::uint8_t value) {
    const std::size_t each = (draft.threads_of(victim) + draft.threads_of(code) - 1) / draft.threads_of(code);
    draft.append(code, Code(each, {Op::put, queue, value}));
  };
  put(first, 1);
  put(second, 2);
  draft.append_armed(victim, {{Op::take, queue}, {Op::demand, 0, wanted}});
}

}  // namespace

void demand_data(Draft& draft) {
  const std::size_t victim = draft.victim();
  const bool can_queue = draft.codes() > 2 && draft.threads_of(victim) <= kTakersMax;
  if (can_queue && draft.numbers().one_in(2))
    demand_from_queue(draft, victim);
  else
    demand_choice(draft, victim);
  draft.demanded(victim);
}

}  // namespace planted
