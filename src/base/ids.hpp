// Each kind of id is its own type, so an operation cannot be passed where a resource is expected.
#pragma once

#include <cstdint>

namespace heddle {

/// Numbered in creation order; 0 is the operation that runs the test body.
enum class OperationId : std::uint32_t {};
inline constexpr OperationId kNoOperation{0xffff'ffffu};
inline constexpr OperationId kMainOperation{0};

/// An index into the resources of one execution, in the order in which the execution first used them.
enum class ResourceId : std::uint32_t {};
inline constexpr ResourceId kNoResource{0xffff'ffffu};

constexpr std::uint32_t index(OperationId id) { return static_cast<std::uint32_t>(id); }
constexpr std::uint32_t index(ResourceId id) { return static_cast<std::uint32_t>(id); }

}  // namespace heddle
