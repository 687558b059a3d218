// The kinds of resources, one row for each kind. Traces store these names, so a kind may be added but never renamed.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace heddle::model {

enum class ResourceKind : std::uint8_t {
  mutex,
  spin_lock,
  condition,
  read_write_lock,
  semaphore,
  barrier,
  once,
  operation,  // the end of another operation
  futex,
  variable,    // a memory location, or an id of the C API that is read or written
  signal,      // a resource of the C API: operations wait until it is signalled
  descriptor,  // its address is the descriptor number
  signals,     // handlers, masks and pending signals of the process
  children,    // the child processes
  inbox,       // of a machine: the events sent to it; of a runtime: whether its machines are idle
  kCount
};

struct ResourceRow {
  std::string_view name;     // in traces
  std::string_view words;    // in sentences
  std::string_view letters;  // before the number in reports: the `m` of m1
  bool is_only_one = false;  // an execution has only one, so its name needs no number
};

inline constexpr std::array<ResourceRow, static_cast<std::size_t>(ResourceKind::kCount)> kResourceTable = {{
    {.name = "mutex", .words = "mutex", .letters = "m"},
    {.name = "spinlock", .words = "spin lock", .letters = "sp"},
    {.name = "condition", .words = "condition", .letters = "c"},
    {.name = "rwlock", .words = "read-write lock", .letters = "rw"},
    {.name = "semaphore", .words = "semaphore", .letters = "s"},
    {.name = "barrier", .words = "barrier", .letters = "b"},
    {.name = "once", .words = "once", .letters = "o"},
    {.name = "operation", .words = "operation", .letters = "e"},
    {.name = "futex", .words = "futex", .letters = "f"},
    {.name = "variable", .words = "variable", .letters = "x"},
    {.name = "resource", .words = "resource", .letters = "r"},
    {.name = "descriptor", .words = "descriptor", .letters = "d"},
    {.name = "signals", .words = "signals", .letters = "signals", .is_only_one = true},
    {.name = "children", .words = "children", .letters = "children", .is_only_one = true},
    {.name = "inbox", .words = "inbox", .letters = "i"},
}};

constexpr const ResourceRow& row(ResourceKind kind) { return kResourceTable[static_cast<std::size_t>(kind)]; }

constexpr std::string_view name(ResourceKind kind) { return row(kind).name; }
/// The kind with that name, or kCount.
ResourceKind resource_kind_named(std::string_view name);

}  // namespace heddle::model
