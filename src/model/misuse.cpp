#include "model/misuse.hpp"

#include <array>
#include <cstddef>

namespace heddle::model {
namespace {

constexpr std::array<std::string_view, static_cast<std::size_t>(Misuse::kCount)> kNames = {
    "unlock-not-owner", "unlock-unlocked",    "relock",       "destroy-in-use", "use-after-destroy",
    "double-init",      "wait-without-mutex", "two-mutexes",  "join-twice",     "join-detached",
    "join-unknown",     "join-self",          "detach-twice", "barrier-count",  "semaphore-overflow"};

}  // namespace

std::string_view name(Misuse misuse) { return kNames[static_cast<std::size_t>(misuse)]; }

Misuse misuse_named(std::string_view wanted) {
  for (std::size_t i = 0; i < kNames.size(); ++i)
    if (kNames[i] == wanted) return static_cast<Misuse>(i);
  return Misuse::kCount;
}

}  // namespace heddle::model
