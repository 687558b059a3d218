#include "model/misuse.hpp"

#include <algorithm>
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

MisuseSet misuses_in(std::string_view list, std::string_view& unknown) {
  MisuseSet set;
  while (!list.empty()) {
    const std::size_t comma = std::min(list.find(','), list.size());
    const std::string_view word = list.substr(0, comma);
    list.remove_prefix(std::min(comma + 1, list.size()));
    const Misuse misuse = misuse_named(word);
    if (misuse != Misuse::kCount)
      set.add(misuse);
    else if (unknown.empty())
      unknown = word;
  }
  return set;
}

}  // namespace heddle::model
