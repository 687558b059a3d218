#include "options/budget.hpp"

namespace heddle::options {

engine::Budget budget_of(const Values& values) {
  constexpr std::uint64_t kUsualExecutions = 10'000;
  constexpr double kUsualSeconds = 10;
  const bool is_bounded = values.executions != 0 || values.seconds != 0 || values.until_bug;
  const double seconds = is_bounded ? values.seconds : kUsualSeconds;
  engine::Budget budget;
  budget.executions = is_bounded ? values.executions : kUsualExecutions;
  budget.time_ns = static_cast<std::uint64_t>(seconds * 1e9);
  budget.failures = values.keep_going ? 0 : 1;
  return budget;
}

}  // namespace heddle::options
