#include "support/enumerate.hpp"

#include "support/naive.hpp"

namespace heddle::test {
namespace {

class Enumerator {
 public:
  explicit Enumerator(std::size_t limit) : limit_(limit) {}

  std::vector<Terminal> found;

  /// False: there are too many.
  bool descend(const Naive& state, const Schedule& schedule, std::uint32_t preemptions, std::uint32_t delays,
               bool left_out_unfair = false) {
    const auto choices = state.choices();
    left_out_unfair |= !choices.empty() && choices.size() < state.enabled().size();
    if (state.has_failed() || choices.empty()) {
      found.push_back({schedule, preemptions, delays, state.verdict(), state.memory(), left_out_unfair});
      return found.size() <= limit_;
    }
    for (Naive::Id id : choices) {
      Schedule longer = schedule;
      if (choices.size() > 1) longer.push_back(Choice::of_operation(OperationId{id}));
      const std::uint32_t bound = state.value_bound(id);
      for (std::uint32_t value = 0; value < bound; ++value) {
        Naive after = state;
        after.apply(id, value);
        Schedule longest = longer;
        if (bound > 1) longest.push_back(Choice::of_value(value));
        if (!descend(after, longest, preemptions + state.preemptions(id), delays + state.delays(id), left_out_unfair))
          return false;
      }
    }
    return true;
  }

 private:
  std::size_t limit_;
};

}  // namespace

std::optional<std::vector<Terminal>> enumerate(const Program& program, std::size_t limit, engine::Settings settings) {
  const Program whole = complete(program);
  Enumerator enumerator(limit);
  if (!enumerator.descend(Naive(whole, settings), {}, 0, 0)) return std::nullopt;
  return std::move(enumerator.found);
}

}  // namespace heddle::test
