#include "engine/class_counter.hpp"

#include <algorithm>
#include <cmath>

#include "base/hash.hpp"

namespace heddle::engine {

namespace {
constexpr std::size_t kFirstTable = 1u << 10;
}

ClassCounter::ClassCounter() { table_.resize(kFirstTable); }

// The low bits decide which hashes are kept, so other bits select the place in the table.
ClassCounter::Entry& ClassCounter::entry(std::uint64_t hash) {
  const std::size_t mask = table_.size() - 1;
  std::size_t at = (hash >> 32) & mask;
  while (table_[at].hash != hash && table_[at].hash != 0) at = (at + 1) & mask;
  return table_[at];
}

std::optional<bool> ClassCounter::add(std::uint64_t hash) {
  ++executions_;
  hash = mix(hash);
  if (hash == 0 || !is_kept(hash)) return std::nullopt;
  Entry& found = entry(hash);
  found.hash = hash;
  switch (++found.count) {
    case 1:
      ++once_;
      if (++classes_ * 2 > table_.size()) thin_out();
      return true;
    case 2:
      --once_;
      ++twice_;
      break;
    case 3:
      --twice_;
      break;
    default:
      break;
  }
  return false;
}

/// Enlarges the table. At its maximum size, drops every second class instead.
void ClassCounter::thin_out() {
  if (classes_ >= kMost) ++level_;
  PageVector<Entry> old;
  old.swap(table_);
  table_.resize(classes_ >= kMost ? old.size() : old.size() * 2);
  classes_ = once_ = twice_ = 0;
  for (const Entry& kept : old) {
    if (kept.hash == 0 || !is_kept(kept.hash)) continue;
    entry(kept.hash) = kept;
    ++classes_;
    once_ += kept.count == 1;
    twice_ += kept.count == 2;
  }
}

Novelty ClassCounter::novelty() const {
  Novelty novelty;
  novelty.executions = executions_;
  novelty.is_exact = level_ == 0;
  if (executions_ == 0) return novelty;
  const double scale = std::ldexp(1.0, static_cast<int>(level_));
  const auto n = static_cast<double>(executions_);
  const double once = static_cast<double>(once_) * scale;
  const double twice = static_cast<double>(twice_) * scale;
  novelty.classes = static_cast<std::uint64_t>(static_cast<double>(classes_) * scale);
  novelty.chance = std::min(once / n, 1.0);
  const double deviation = std::sqrt((once * (1 - novelty.chance) + 2 * twice) * scale) / n;
  novelty.low = std::max(novelty.chance - 1.96 * deviation, 0.0);
  novelty.high = std::min(std::max(novelty.chance + 1.96 * deviation, 3 / n), 1.0);
  return novelty;
}

}  // namespace heddle::engine
