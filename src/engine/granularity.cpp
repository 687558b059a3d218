#include "engine/granularity.hpp"

#include <algorithm>
#include <array>

#include "base/check.hpp"

namespace heddle::engine {

Granularity::Granularity(std::vector<Points> levels) {
  HEDDLE_CHECK(!levels.empty() && levels.size() <= static_cast<std::size_t>(Points::kCount), "levels of points");
  for (const Points points : levels) levels_.push_back({points});
}

void Granularity::open_more() {
  if (open_ == levels_.size()) return;
  const Level& last = levels_[open_ - 1];
  const bool is_next_for_last = levels_[open_].points == Points::all;
  const bool are_all_exhausted = std::all_of(levels_.begin(), levels_.begin() + static_cast<std::ptrdiff_t>(open_),
                                             [](const Level& level) { return level.is_exhausted(); });
  if (are_all_exhausted || (!is_next_for_last && (last.is_exhausted() || last.executions >= kFirstShare))) ++open_;
}

Points Granularity::next(Random& random) {
  open_more();
  std::array<std::size_t, static_cast<std::size_t>(Points::kCount)> choices;
  std::uint32_t count = 0;
  const bool is_for_any = random.below(kTurnsForOpen) == 0;
  for (std::size_t i = 0; i < open_; ++i)
    if (is_for_any || !levels_[i].is_exhausted()) choices[count++] = i;
  current_ = count == 0 ? open_ - 1 : choices[random.below(count)];
  return levels_[current_].points;
}

void Granularity::saw(bool is_new) {
  Level& level = levels_[current_];
  ++level.executions;
  level.quiet = is_new ? 0 : level.quiet + 1;
}

std::string Granularity::text() const {
  std::string text;
  for (std::size_t i = 0; i < counts_.size(); ++i)
    if (counts_[i] > 0)
      text.append(text.empty() ? "" : ", ")
          .append(std::to_string(counts_[i]))
          .append(" at ")
          .append(name(static_cast<Points>(i)));
  return text;
}

}  // namespace heddle::engine
