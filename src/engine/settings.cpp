#include "engine/settings.hpp"

#include <array>
#include <cstddef>

namespace heddle::engine {
namespace {

constexpr std::array<std::string_view, static_cast<std::size_t>(Points::kCount)> kPoints = {"sync", "release", "atomic",
                                                                                            "racy", "all"};
constexpr std::array<std::string_view, static_cast<std::size_t>(Choices::kCount)> kChoices = {"all", "needed"};

template <typename Named, std::size_t N>
Named named(const std::array<std::string_view, N>& names, std::string_view wanted) {
  std::size_t i = 0;
  while (i < N && names[i] != wanted) ++i;
  return static_cast<Named>(i);
}

}  // namespace

Points points_named(std::string_view wanted) { return named<Points>(kPoints, wanted); }
std::string_view name(Points points) { return kPoints[static_cast<std::size_t>(points)]; }
Choices choices_named(std::string_view wanted) { return named<Choices>(kChoices, wanted); }
std::string_view name(Choices choices) { return kChoices[static_cast<std::size_t>(choices)]; }

}  // namespace heddle::engine
