// Finds the line of a stack that a person wants to see: the innermost one in the user's own code.
//
// A stack begins inside heddle or libc and passes through the headers of the standard library. The user looks for none
// of these. Trace files, differences and reports all ask here when they name a place in one line.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "trace/trace.hpp"

namespace heddle {

/// One function at one place. Points into a trace, which must outlive it.
struct Frame {
  const Place* place = nullptr;       // null: no frame
  const Place::Line* line = nullptr;  // null: neither file nor function is known

  explicit operator bool() const { return place != nullptr; }
};

/// Innermost first, inlined functions included.
std::vector<Frame> frames(const Trace& trace, std::span<const std::uint32_t> stack);

/// Not part of heddle, libc or the standard library.
bool is_users(const Frame& frame);

/// The innermost frame of the user's code; else the innermost with a known file; else the innermost, if its function is
/// known. (A tail call leaves no frame of the calling function: the rest may be a library's code that starts a thread.)
Frame frame_that_matters(const Trace& trace, std::span<const std::uint32_t> stack);

std::string_view base_name(std::string_view path);

/// `queue.cpp:40`; else the function; else `bank+0x12a4`; empty if there is no frame.
std::string where(const Frame& frame);
std::string where(const Trace& trace, std::span<const std::uint32_t> stack);

}  // namespace heddle
