#include "engine/settings.hpp"

#include <array>
#include <cstddef>

namespace heddle::engine {
namespace {

constexpr std::array<std::string_view, static_cast<std::size_t>(Races::kCount)> kRaces = {"report", "promote",
                                                                                          "ignore"};
constexpr std::array<std::string_view, static_cast<std::size_t>(Points::kCount)> kPoints = {"sync", "atomic", "racy",
                                                                                            "all"};

constexpr std::array<std::string_view, static_cast<std::size_t>(Standard::kCount)> kStandards = {"c++11", "c++14",
                                                                                                 "c++17", "c++20"};

template <typename Value, std::size_t kCount>
Value named(const std::array<std::string_view, kCount>& names, std::string_view wanted) {
  std::size_t i = 0;
  while (i < kCount && names[i] != wanted) ++i;
  return static_cast<Value>(i);
}

}  // namespace

Races races_named(std::string_view name) { return named<Races>(kRaces, name); }
Points points_named(std::string_view name) { return named<Points>(kPoints, name); }
Standard standard_named(std::string_view name) { return named<Standard>(kStandards, name); }
std::string_view name(Points points) { return kPoints[static_cast<std::size_t>(points)]; }

}  // namespace heddle::engine
