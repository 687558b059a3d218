#include "support/statistics.hpp"

#include <cmath>
#include <numeric>

namespace heddle::test {
namespace {

// The upper tail of the chi-square distribution: exact, by its recurrence in steps of two degrees of freedom.
double chi_square_tail(double x, std::size_t degrees) {
  double tail = degrees % 2 == 1 ? std::erfc(std::sqrt(x / 2)) : std::exp(-x / 2);
  for (std::size_t d = degrees % 2 == 1 ? 3 : 4; d <= degrees; d += 2) {
    const double half = static_cast<double>(d) / 2;
    tail += std::exp((half - 1) * std::log(x / 2) - x / 2 - std::lgamma(half));
  }
  return tail;
}

double chance_of_exactly(std::uint64_t hits, std::uint64_t trials, double probability) {
  const auto h = static_cast<double>(hits);
  const auto n = static_cast<double>(trials);
  return std::exp(std::lgamma(n + 1) - std::lgamma(h + 1) - std::lgamma(n - h + 1) + h * std::log(probability) +
                  (n - h) * std::log1p(-probability));
}

}  // namespace

double chance_of(const std::vector<std::uint64_t>& counts, const std::vector<double>& probabilities) {
  const auto total = static_cast<double>(std::accumulate(counts.begin(), counts.end(), std::uint64_t{0}));
  double x = 0;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const double expected = total * probabilities[i];
    const double difference = static_cast<double>(counts[i]) - expected;
    x += difference * difference / expected;
  }
  return x == 0 ? 1 : chi_square_tail(x, counts.size() - 1);
}

double chance_if_uniform(const std::vector<std::uint64_t>& counts) {
  return chance_of(counts, std::vector<double>(counts.size(), 1.0 / static_cast<double>(counts.size())));
}

double chance_of_at_most(std::uint64_t hits, std::uint64_t trials, double probability) {
  double sum = 0;
  for (std::uint64_t h = 0; h <= hits; ++h) sum += chance_of_exactly(h, trials, probability);
  return sum;
}

double chance_of_at_least(std::uint64_t hits, std::uint64_t trials, double probability) {
  double sum = 0;
  for (std::uint64_t h = hits; h <= trials; ++h) sum += chance_of_exactly(h, trials, probability);
  return sum;
}

}  // namespace heddle::test
