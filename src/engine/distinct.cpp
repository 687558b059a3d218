#include "engine/distinct.hpp"

#include <bit>
#include <cmath>

namespace heddle::engine {

DistinctCounter::DistinctCounter() {
  table_.resize(kFirstTable);
  registers_.resize(1u << kRegisterBits);
}

bool DistinctCounter::add(std::uint64_t hash) {
  if (!is_exact()) return estimate(hash);
  if (!add_exactly(hash)) return false;
  if (!is_exact())
    for (const std::uint64_t seen : table_)
      if (seen != 0) estimate(seen);
  return true;
}

bool DistinctCounter::estimate(std::uint64_t hash) {
  std::uint8_t& highest = registers_[hash >> (64 - kRegisterBits)];
  const std::uint64_t rest = hash << kRegisterBits | 1ull << (kRegisterBits - 1);  // this bit ends every run of zeros
  const auto zeros = static_cast<std::uint8_t>(std::countl_zero(rest) + 1);
  const bool higher = zeros > highest;
  if (higher) highest = zeros;
  return higher;
}

bool DistinctCounter::add_exactly(std::uint64_t hash) {
  if (hash == 0) hash = 1;
  const std::uint64_t mask = table_.size() - 1;
  for (std::uint64_t at = hash & mask;; at = (at + 1) & mask) {
    if (table_[at] == hash) return false;
    if (table_[at] != 0) continue;
    table_[at] = hash;
    if (++exact_count_ * 2 > table_.size() && is_exact()) grow();
    return true;
  }
}

void DistinctCounter::grow() {
  PageVector<std::uint64_t> old;
  old.swap(table_);
  table_.resize(old.size() * 2);
  exact_count_ = 0;
  for (const std::uint64_t hash : old)
    if (hash != 0) add_exactly(hash);
}

std::uint64_t DistinctCounter::count() const {
  if (is_exact()) return exact_count_;
  const double m = static_cast<double>(registers_.size());
  double sum = 0;
  for (const std::uint8_t highest : registers_) sum += std::ldexp(1.0, -highest);
  const double alpha = 0.7213 / (1 + 1.079 / m);  // the paper's bias correction for m >= 128
  return static_cast<std::uint64_t>(std::llround(alpha * m * m / sum));
}

}  // namespace heddle::engine
