// Which line of a stack a person wants to see: the innermost that is the user's own.
//
// A stack begins inside heddle or libc and passes through the headers of the standard library; none of these is where
// the user looks. Everything that names a place in one line (trace files, differences, reports) asks here.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "trace/trace.hpp"

namespace heddle {

/// One function at one place. Points into a trace and lives as long as it.
struct Frame {
  const Place* place = nullptr;       // null: no frame
  const Place::Line* line = nullptr;  // null: neither file nor function is known

  explicit operator bool() const { return place != nullptr; }
};

/// Innermost first, inlined functions included.
std::vector<Frame> frames(const Trace& trace, std::span<const std::uint32_t> stack);

/// Not heddle's, nor of libc, nor of the standard library.
bool is_users(const Frame& frame);

/// The innermost frame that is the user's; else the innermost with a known file; else the innermost, if its function is
/// known. (A call at the end of a function leaves no frame of it: the rest may be a library's start of a thread.)
Frame frame_that_matters(const Trace& trace, std::span<const std::uint32_t> stack);

std::string_view base_name(std::string_view path);

/// `queue.cpp:40`; else the function; else `bank+0x12a4`; empty if there is no frame.
std::string where(const Frame& frame);
std::string where(const Trace& trace, std::span<const std::uint32_t> stack);

}  // namespace heddle
