#include "engine/detectors/table.hpp"

#include "engine/detectors/deadlock.hpp"
#include "engine/detectors/leak.hpp"
#include "engine/detectors/livelock.hpp"
#include "engine/detectors/misuse.hpp"

namespace heddle::engine {
namespace {

// In the order in which they are called. A lock that its holder takes again is a misuse before it is a deadlock, and an
// operation that waits in a loop is reported before the operations that wait for it.
constexpr Detector kDetectors[] = {
    {.name = "misuse",
     .looks_for = "calls that a primitive does not allow: an unlock by a thread that does not hold it",
     .gives = {VerdictKind::misuse},
     .asked = "runtime/misuse.cpp",
     .at_wait = find_relock},
    {.name = "livelock",
     .looks_for = "threads that take steps for ever and get nowhere",
     .gives = {VerdictKind::livelock},
     .asked = "engine/execution.cpp",
     .at_standstill = find_spinner},
    {.name = "deadlock",
     .looks_for = "threads that wait for each other, or for what no thread will do",
     .gives = {VerdictKind::deadlock, VerdictKind::lost_wakeup, VerdictKind::leaked_thread},
     .at_wait = find_deadlock,
     .at_standstill = tell_standstill},
    {.name = "leak",
     .looks_for = "threads that ended and were neither joined nor detached",
     .gives = {VerdictKind::leaked_thread},
     .at_end = find_leak},
    {.name = "race",
     .looks_for = "accesses to the same memory that nothing orders, one of which writes",
     .gives = {VerdictKind::race},
     .asked = "runtime/tsan/memory_check.cpp"},
    {.name = "memory",
     .looks_for = "accesses to blocks that were freed and to stack frames that were left",
     .gives = {VerdictKind::memory_error},
     .asked = "runtime/tsan/memory_check.cpp"},
};

}  // namespace

std::span<const Detector> detectors() { return kDetectors; }

}  // namespace heddle::engine
