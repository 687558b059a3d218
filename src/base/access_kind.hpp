// What an access does to memory, or a call does to a block of it. The table has one row for each kind, with the words
// that verdicts, traces and reports use. Traces store the names, so a kind may be added but never renamed.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace heddle {

enum class AccessKind : std::uint8_t {
  read,
  write,
  atomic_read,
  atomic_write,
  free,
  allocate,
  use,  // of a synchronisation object
  kCount
};

struct AccessRow {
  std::string_view name;    // in traces
  std::string_view does;    // in verdicts: `T2 reads`
  std::string_view did;     // in verdicts: `which T1 wrote`
  std::string_view made;    // in reports, before the number of bytes
  bool tells_bytes = true;  // do reports give the number of bytes?
  bool tells_locks = true;  // do reports list the locks held?
};

inline constexpr std::array<AccessRow, static_cast<std::size_t>(AccessKind::kCount)> kAccessTable = {{
    {.name = "read", .does = "reads", .did = "read", .made = "read"},
    {.name = "write", .does = "writes", .did = "wrote", .made = "wrote"},
    {.name = "atomic-read", .does = "reads (atomically)", .did = "read (atomically)", .made = "read atomically"},
    {.name = "atomic-write", .does = "writes (atomically)", .did = "wrote (atomically)", .made = "wrote atomically"},
    {.name = "free", .does = "frees", .did = "freed", .made = "freed a block", .tells_bytes = false},
    {.name = "allocate", .does = "allocates", .did = "allocated", .made = "allocated a block of", .tells_locks = false},
    {.name = "use", .does = "uses", .did = "used", .made = "used an object", .tells_bytes = false},
}};

constexpr const AccessRow& row(AccessKind kind) { return kAccessTable[static_cast<std::size_t>(kind)]; }

/// The kind with this name, or kCount.
constexpr AccessKind access_named(std::string_view name) {
  std::size_t i = 0;
  while (i < kAccessTable.size() && kAccessTable[i].name != name) ++i;
  return static_cast<AccessKind>(i);
}

}  // namespace heddle
