// A message sequence chart of the machines in a trace: one lane per machine, with time running from top to bottom.
//
// A message runs from the moment it is sent to the moment it is taken. The trace does not record which take belongs to
// which send; it follows from the inbox, which keeps events of one type in order.
#pragma once

#include <cstddef>
#include <string>

#include "report/terminal.hpp"
#include "trace/trace.hpp"

namespace heddle::report {

/// Does the trace contain anything that a chart could show?
bool has_chart(const Trace& trace);

/// One column per lane if that fits into the width, else one line per event. `rows_max`: of a longer chart only the end
/// is shown, which led to the failure; 0: all.
std::string chart_text(const Trace& trace, const Paint& paint, std::size_t width, std::size_t rows_max = 0);

/// A self-contained picture that loads nothing.
std::string chart_svg(const Trace& trace);

}  // namespace heddle::report
