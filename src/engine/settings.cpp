#include "engine/settings.hpp"

#include <array>
#include <cstddef>

namespace heddle::engine {
namespace {

constexpr std::array<std::string_view, static_cast<std::size_t>(Points::kCount)> kPoints = {"sync", "atomic", "racy",
                                                                                            "all"};

}  // namespace

Points points_named(std::string_view wanted) {
  std::size_t i = 0;
  while (i < kPoints.size() && kPoints[i] != wanted) ++i;
  return static_cast<Points>(i);
}

std::string_view name(Points points) { return kPoints[static_cast<std::size_t>(points)]; }

}  // namespace heddle::engine
