// How surprising a count is. Tests of distributions fail when what they saw has a chance below kSurprise if the code is
// right: with fixed seeds they either always pass or always fail, and a right implementation with other seeds fails
// once in a million.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

namespace heddle::test {

inline constexpr double kSurprise = 1e-6;

/// The chance of counts at least as far from the expected ones: Pearson's chi-square test.
double chance_of(const std::vector<std::uint64_t>& counts, const std::vector<double>& probabilities);
/// The same where all are equally likely.
double chance_if_uniform(const std::vector<std::uint64_t>& counts);

/// The chance of at most `hits` of `trials` that succeed with `probability` each; and of at least that many.
double chance_of_at_most(std::uint64_t hits, std::uint64_t trials, double probability);
double chance_of_at_least(std::uint64_t hits, std::uint64_t trials, double probability);

/// How far choices are from what was expected of them.
class Deviation {
 public:
  static constexpr double kSurprising = 4.9;  // once in a million

  void compare(double chance, bool was_chosen) {
    if (chance == 0 || chance == 1) return;
    const double weight = chance - 0.5;
    sum_ += weight * (was_chosen - chance);
    variance_ += weight * weight * chance * (1 - chance);
    ++compared_;
  }

  /// In standard deviations, of the sum over all choices, each counted by how far its chance was from even: so a
  /// distribution too flat or too steep shows.
  double value() const { return sum_ / std::sqrt(variance_); }
  double compared() const { return compared_; }

 private:
  double sum_ = 0;
  double variance_ = 0;
  double compared_ = 0;
};

}  // namespace heddle::test
