#include "model/event.hpp"

#include <array>
#include <cstddef>

namespace heddle::model {
namespace {

constexpr std::array<std::string_view, static_cast<std::size_t>(EventKind::kCount)> kNames = {"start",
                                                                                              "create",
                                                                                              "join",
                                                                                              "detach",
                                                                                              "cancel",
                                                                                              "test_cancel",
                                                                                              "lock",
                                                                                              "try_lock",
                                                                                              "timed_lock",
                                                                                              "unlock",
                                                                                              "relock",
                                                                                              "read_lock",
                                                                                              "try_read_lock",
                                                                                              "timed_read_lock",
                                                                                              "write_lock",
                                                                                              "try_write_lock",
                                                                                              "timed_write_lock",
                                                                                              "read_unlock",
                                                                                              "write_unlock",
                                                                                              "wait",
                                                                                              "wake",
                                                                                              "signal",
                                                                                              "broadcast",
                                                                                              "acquire",
                                                                                              "try_acquire",
                                                                                              "timed_acquire",
                                                                                              "release",
                                                                                              "arrive",
                                                                                              "leave",
                                                                                              "once",
                                                                                              "futex_wait",
                                                                                              "futex_sleep",
                                                                                              "futex_wake",
                                                                                              "yield",
                                                                                              "sleep",
                                                                                              "read",
                                                                                              "write",
                                                                                              "choose",
                                                                                              "step",
                                                                                              "wait_any",
                                                                                              "wait_all",
                                                                                              "notify",
                                                                                              "descriptor_read",
                                                                                              "descriptor_write",
                                                                                              "descriptor_close",
                                                                                              "file_lock",
                                                                                              "file_unlock",
                                                                                              "poll",
                                                                                              "send_signal",
                                                                                              "handle_signal",
                                                                                              "wait_signal",
                                                                                              "set_signals",
                                                                                              "wait_child",
                                                                                              "load",
                                                                                              "store",
                                                                                              "update",
                                                                                              "fence",
                                                                                              "spin",
                                                                                              "send",
                                                                                              "receive"};

}  // namespace

std::string_view name(EventKind kind) { return kNames[static_cast<std::size_t>(kind)]; }

EventKind kind_named(std::string_view wanted) {
  for (std::size_t i = 0; i < kNames.size(); ++i)
    if (kNames[i] == wanted) return static_cast<EventKind>(i);
  return EventKind::kCount;
}

}  // namespace heddle::model
