#include "model/resource.hpp"

#include <array>
#include <cstddef>

namespace heddle::model {
namespace {

constexpr std::array<std::string_view, static_cast<std::size_t>(ResourceKind::kCount)> kNames = {
    "mutex", "spinlock", "condition", "rwlock",     "semaphore", "barrier",  "once", "operation",
    "futex", "variable", "resource",  "descriptor", "signals",   "children", "inbox"};

}  // namespace

std::string_view name(ResourceKind kind) { return kNames[static_cast<std::size_t>(kind)]; }

ResourceKind resource_kind_named(std::string_view wanted) {
  for (std::size_t i = 0; i < kNames.size(); ++i)
    if (kNames[i] == wanted) return static_cast<ResourceKind>(i);
  return ResourceKind::kCount;
}

}  // namespace heddle::model
