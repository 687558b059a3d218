// A planted bug by its name: order/2/17 is the seventeenth of depth 2 whose last demand is an order.
//
// The bugs with even numbers are for choosing parameters, those with odd numbers for reporting: bench/split.txt.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace planted {

enum class Kind : std::uint8_t { order, atomicity, deadlock, lost_wakeup, stale, aba, data, machines, kCount };
inline constexpr std::string_view kKinds[] = {"order", "atomicity", "deadlock", "lost_wakeup",
                                              "stale", "aba",       "data",     "machines"};

struct Bug {
  std::string name;
  Kind kind;
  int depth;
  std::size_t threads;         // or machines
  std::function<void()> body;  // one execution
};

/// The same bug for the same arguments, everywhere.
Bug plant(Kind kind, int depth, unsigned number);

}  // namespace planted
