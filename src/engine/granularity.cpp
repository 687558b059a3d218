#include "engine/granularity.hpp"

#include <algorithm>
#include <cmath>

#include "base/check.hpp"

namespace heddle::engine {
namespace {

/// A sum of four uniform numbers, with the mean and the deviation of a standard normal one.
double nearly_normal(Random& random) {
  const double sum = random.unit() + random.unit() + random.unit() + random.unit();
  return (sum - 2) * std::sqrt(3.0);
}

/// Drawn from what is believed about the chance of something new.
double drawn(double worth, double weight, Random& random) {
  const double mean = (worth + 1) / (weight + 1);
  return mean + std::sqrt(mean * (1 - mean) / (weight + 2)) * nearly_normal(random);
}

}  // namespace

Granularity::Granularity(const Levels& levels) : has_more_(levels.has_more), turns_alone_(levels.turns_alone) {
  HEDDLE_CHECK(!levels.all.empty() && levels.all.size() <= static_cast<std::size_t>(Points::kCount),
               "levels of points");
  for (const Points points : levels.all) levels_.push_back({points});
  levels_[0].takes_part = true;
}

void Granularity::let_in() {
  if (turns_alone_ > 0) {
    --turns_alone_;
    return;
  }
  for (Level& level : levels_)
    if (!level.takes_part)
      level.takes_part = level.points == Points::all ? are_all_exhausted() : has_more_(level.points);
}

bool Granularity::are_all_exhausted() const {
  return std::all_of(levels_.begin(), levels_.end(),
                     [](const Level& level) { return !level.takes_part || level.is_exhausted(); });
}

/// The finest level that has had no turn.
std::size_t Granularity::newcomer() const {
  std::size_t found = kNone;
  for (std::size_t i = 0; i < levels_.size(); ++i)
    if (levels_[i].takes_part && !levels_[i].had_a_turn) found = i;
  return found;
}

/// Any level that takes part; any that is not exhausted, if there is one.
std::size_t Granularity::any(Random& random, bool only_fresh) const {
  std::size_t chosen = kNone;
  std::uint32_t count = 0;
  for (std::size_t i = 0; i < levels_.size(); ++i)
    if (levels_[i].takes_part && !(only_fresh && levels_[i].is_exhausted()) && random.below(++count) == 0) chosen = i;
  return chosen != kNone ? chosen : any(random, false);
}

/// The highest of the numbers drawn; any of several.
std::size_t Granularity::most_promising(Random& random) const {
  std::size_t best = 0;
  double highest = -1;
  std::uint32_t alike = 0;
  for (std::size_t i = 0; i < levels_.size(); ++i) {
    if (!levels_[i].takes_part) continue;
    const double value = drawn(levels_[i].worth, levels_[i].weight, random);
    if (value < highest) continue;
    alike = value > highest ? 1 : alike + 1;
    highest = value;
    if (random.below(alike) == 0) best = i;
  }
  return best;
}

Points Granularity::next(Random& random) {
  let_in();
  current_ = newcomer();
  const bool is_for_any = random.below(kTurnsForAny) == 0;
  if (current_ == kNone) {
    const bool is_shared = random.below(2) == 0;
    current_ = is_for_any ? any(random, false) : is_shared ? any(random, true) : most_promising(random);
  }
  levels_[current_].had_a_turn = true;
  return levels_[current_].points;
}

void Granularity::saw(bool is_new) {
  Level& level = levels_[current_];
  ++level.executions;
  level.quiet = is_new ? 0 : level.quiet + 1;
  level.weight = level.weight * kFade + 1;
  level.worth = level.worth * kFade + (is_new ? 1 : 0);
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
