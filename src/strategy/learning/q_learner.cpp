#include "strategy/learning/q_learner.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <numbers>

namespace heddle::strategy {
namespace {

constexpr float kAlpha = 0.3f;
constexpr float kGamma = 0.7f;
constexpr float kFailure = -1000;
constexpr float kMeanLowest = -40;
constexpr float kNegligible = -30;  // e to this power is negligible beside 1 in a float

/// For x from kNegligible to 0, accurate to six digits. Computed as a power of two, whose integer part goes into the
/// exponent.
float exponential(float x) {
  const float power = x * std::numbers::log2e_v<float>;
  const auto whole = static_cast<std::int32_t>(power);   // rounded towards 0
  const float part = power - static_cast<float>(whole);  // -1 … 0
  float value = 9.4687703e-04f;                          // first coefficient of the polynomial closest to 2^part
  for (const float coefficient : {9.2091804e-03f, 5.5298120e-02f, 2.4017896e-01f, 6.9314313e-01f, 9.9999994e-01f})
    value = value * part + coefficient;
  return std::bit_cast<float>(std::bit_cast<std::int32_t>(value) + (whole << 23));
}

/// What a version of the authors' program divides the values of a state with this mean by (github.com/suvamM/psharp-ql,
/// "scaled average"): by ten if the mean is below -40, and by another ten each time it divides the mean by ten until
/// that is no longer below.
float divisor(float mean) {
  float by = mean < kMeanLowest ? 10 : 1;
  for (; mean < kMeanLowest; mean /= 10) by *= 10;
  return by;
}

}  // namespace

std::uint32_t QLearner::pick(std::span<const std::uint32_t> actions) {
  const auto count = static_cast<std::uint32_t>(actions.size());
  weights_.reserve(count);
  float* const weights = weights_.data();
  float highest = worth(actions[0]);
  float sum = 0;
  for (std::uint32_t i = 0; i < count; ++i) {
    weights[i] = worth(actions[i]);
    highest = std::max(highest, weights[i]);
    sum += weights[i];
  }
  const float scale = rules_.divides ? 1 / divisor(sum / static_cast<float>(count)) : 1;
  for (std::uint32_t i = 0; i < count; ++i)
    weights[i] = exponential(std::max((weights[i] - highest) * scale, kNegligible));
  float total = 0;
  for (std::uint32_t i = 0; i < count; ++i) weights[i] = total += weights[i];
  const float at = static_cast<float>(random().unit()) * total;
  std::uint32_t picked = 0;
  for (std::uint32_t i = 0; i + 1 < count; ++i) picked += weights[i] <= at;
  return picked;
}

void QLearner::learn(std::span<const Decision> decisions) {
  if (decisions.empty()) return;
  ++ends_;
  const std::uint32_t last = decisions.back().state;
  float highest_after = rules_.knows_end ? 0 : known_.best(last);
  float visits_after = rules_.knows_end ? ends_ : visits(last);
  for (std::size_t i = decisions.size(); i-- > 0;) {
    const Decision& decision = decisions[i];
    float reward = rules_.counts_visits ? -visits_after : -1;
    if (rules_.shuns_failures && decision.is_failure) reward = kFailure;
    float& q = worth(chosen(decision));
    q = (1 - kAlpha) * q + kAlpha * (reward + kGamma * highest_after);
    visits_after = visits(decision.state);
    highest_after = known_.best(decision.state);
  }
}

}  // namespace heddle::strategy
