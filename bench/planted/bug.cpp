#include "bug.hpp"

#include <iterator>
#include <memory>
#include <utility>

#include "kinds.hpp"
#include "machines.hpp"
#include "numbers.hpp"
#include "program.hpp"

namespace planted {
namespace {

using Demand = void (*)(Draft&);

/// Those that others can follow.
constexpr Demand kOpen[] = {demand_order, demand_atomicity, demand_stale, demand_aba, demand_data};

struct Last {
  Demand demand;
  bool hangs;  // nothing has to be reported, and no other demand can follow
};
constexpr Last kLast[] = {{demand_order, false},      {demand_atomicity, false}, {demand_deadlock, true},
                          {demand_lost_wakeup, true}, {demand_stale, false},     {demand_aba, false},
                          {demand_data, false}};

/// Between 2 and 100: a half has at most 5, an eighth more than 20.
std::size_t threads(Numbers& numbers) {
  switch (numbers.below(8)) {
    case 0:
      return 21 + numbers.below(kThreads - 20);
    case 1:
    case 2:
    case 3:
      return 6 + numbers.below(15);
    default:
      return 2 + numbers.below(4);
  }
}

Program plant_threads(Numbers& numbers, std::size_t threads, const Last& last, int depth) {
  const bool apart = !last.hangs && depth > 1 && numbers.one_in(2);
  Draft draft(numbers, threads, apart);
  for (int i = 1; i < depth; ++i) kOpen[numbers.below(std::size(kOpen))](draft);
  last.demand(draft);
  return draft.finish(!last.hangs);
}

}  // namespace

Bug plant(Kind kind, int depth, unsigned number) {
  const auto which = static_cast<std::size_t>(kind);
  Numbers numbers((which * 8 + static_cast<std::uint64_t>(depth)) << 32 | number);
  Bug bug;
  bug.name = std::string(kKinds[which]) + "/" + std::to_string(depth) + "/" + std::to_string(number);
  bug.kind = kind;
  bug.depth = depth;
  if (kind == Kind::machines) {
    bug.threads = 3u + numbers.below(8);
    const auto protocol = std::make_shared<Protocol>(plant_protocol(numbers, bug.threads, depth));
    bug.body = [protocol] { run(*protocol); };
  } else {
    bug.threads = threads(numbers);
    const auto program = std::make_shared<Program>(plant_threads(numbers, bug.threads, kLast[which], depth));
    bug.body = [program] { run(*program); };
  }
  return bug;
}

}  // namespace planted
