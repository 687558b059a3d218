// A message sequence chart of the machines in a trace: a lane each, from top to bottom as time passes.
//
// A message goes from the moment of its sending to that of its taking. Which taking belongs to which sending is not
// written down; it follows from the inbox, in which events of one type stay in their order.
#pragma once

#include <cstddef>
#include <string>

#include "report/terminal.hpp"
#include "trace/trace.hpp"

namespace heddle::report {

/// Has the trace anything that a chart could show?
bool has_chart(const Trace& trace);

/// A column a lane while that fits into the width, else a line a event.
/// `rows_max`: of a longer one only the end, which led to the failure; 0: all.
std::string chart_text(const Trace& trace, const Paint& paint, std::size_t width, std::size_t rows_max = 0);

/// A picture by itself, with nothing to load.
std::string chart_svg(const Trace& trace);

}  // namespace heddle::report
