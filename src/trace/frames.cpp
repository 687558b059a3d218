#include "trace/frames.hpp"

#include <algorithm>
#include <array>
#include <charconv>

namespace heddle {
namespace {

using std::string_view;

// Each is followed by `.` or `-`: libc.so.6, libc-2.31.so, ld-linux-x86-64.so.2.
constexpr std::array<string_view, 14> kLibraries = {"libheddle", "libc",  "libpthread", "libstdc++", "libc++",
                                                    "libc++abi", "libm",  "libgcc_s",   "ld-linux",  "linux-vdso",
                                                    "libasan",   "libdl", "libubsan",   "libtsan"};

constexpr std::array<string_view, 5> kSystemFolders = {"/include/c++/", "/usr/include/", "/usr/lib/",
                                                       "/include/heddle/", "/lib/gcc/"};

// Functions whose code has no source lines but is part of the user's executable: templates and static libraries.
constexpr std::array<string_view, 9> kSystemFunctions = {
    "std::", "__gnu_cxx::", "pthread_", "__pthread_", "__gthread_", "__libc_", "testing::", "Catch::", "_start"};

// heddle's own functions in the user's executable: the runtime of machines is linked statically.
constexpr std::array<string_view, 4> kOwnFunctions = {
    "heddle::actor::", "heddle::Machine::", "heddle::Monitor::", "heddle::Runtime::"};

bool is_system_module(string_view path) {
  const string_view file = base_name(path);
  return std::any_of(kLibraries.begin(), kLibraries.end(), [&](string_view library) {
    return file.starts_with(library) && file.size() > library.size() &&
           (file[library.size()] == '.' || file[library.size()] == '-');
  });
}

bool is_system_file(string_view path) {
  return std::any_of(kSystemFolders.begin(), kSystemFolders.end(),
                     [&](string_view folder) { return path.find(folder) != string_view::npos; });
}

bool is_system_function(string_view function) {
  if (function.starts_with("void ")) function.remove_prefix(5);  // demangled names of templates include the return type
  return std::any_of(kSystemFunctions.begin(), kSystemFunctions.end(),
                     [&](string_view start) { return function.starts_with(start); });
}

bool is_own_function(string_view function) {
  return std::any_of(kOwnFunctions.begin(), kOwnFunctions.end(),
                     [&](string_view start) { return function.starts_with(start); });
}

std::string hexadecimal(std::uint64_t value) {
  char digits[16];
  return {digits, std::to_chars(digits, digits + sizeof digits, value, 16).ptr};
}

}  // namespace

string_view base_name(string_view path) { return path.substr(path.rfind('/') + 1); }

std::vector<Frame> frames(const Trace& trace, std::span<const std::uint32_t> stack) {
  std::vector<Frame> all;
  for (const std::uint32_t at : stack) {
    if (at >= trace.places.size()) continue;
    const Place& place = trace.places[at];
    if (place.lines.empty()) all.push_back({&place, nullptr});
    for (const Place::Line& line : place.lines) all.push_back({&place, &line});
  }
  return all;
}

bool is_users(const Frame& frame) {
  if (!frame || is_system_module(frame.place->module)) return false;
  if (!frame.line) return true;
  if (is_own_function(frame.line->function)) return false;
  return frame.line->file.empty() ? !is_system_function(frame.line->function) : !is_system_file(frame.line->file);
}

Frame frame_that_matters(const Trace& trace, std::span<const std::uint32_t> stack) {
  std::vector<Frame> all = frames(trace, stack);
  const auto users = std::find_if(all.begin(), all.end(), is_users);
  if (users != all.end()) return *users;
  // While a machine waits for an event, the stack has no user frame, and a frame of heddle would tell the user nothing.
  std::erase_if(all, [](const Frame& f) { return f.line && is_own_function(f.line->function); });
  const auto known =
      std::find_if(all.begin(), all.end(), [](const Frame& f) { return f.line && !f.line->file.empty(); });
  if (known != all.end()) return *known;
  return all.empty() || !all.front().line || all.front().line->function.empty() ? Frame{} : all.front();
}

std::string where(const Frame& frame) {
  if (!frame) return {};
  if (frame.line && !frame.line->file.empty()) {
    const std::string file(base_name(frame.line->file));
    return frame.line->line > 0 ? file + ":" + std::to_string(frame.line->line) : file;
  }
  if (frame.line && !frame.line->function.empty()) return frame.line->function;
  return std::string(base_name(frame.place->module)) + "+0x" + hexadecimal(frame.place->offset);
}

std::string where(const Trace& trace, std::span<const std::uint32_t> stack) {
  return where(frame_that_matters(trace, stack));
}

}  // namespace heddle
