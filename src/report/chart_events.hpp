// What the machines of a trace did, as rows and lanes: shared by the two charts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "trace/trace.hpp"

namespace heddle::report {

struct ChartEvent {
  enum class Kind : std::uint8_t {
    created,  // another lane begins
    sent,
    taken,   // from the inbox, by an action, a task or neither
    lost,    // dropped, because the machine has halted
    state,   // entered, pushed or returned to
    aside,   // anything else that a machine did on its own
    failed,  // the verdict
  };
  static constexpr std::size_t kNone = ~std::size_t{0};

  Kind kind;
  std::size_t lane = 0;
  std::size_t other = kNone;  // the lane that is created or sent to
  std::size_t match = kNone;  // for `sent`, the event that takes it, and vice versa
  std::string text;
};

struct ChartEvents {
  std::vector<std::string> lanes;  // their titles, in order of appearance
  std::vector<ChartEvent> rows;
};

ChartEvents happenings_of(const Trace& trace);

}  // namespace heddle::report
