// The standard input of the program, which every execution reads from its beginning.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>

namespace heddle::cli {

/// Input that is typed or comes from a pipe can be read only once: it is read to its end and replaced by what was read.
/// A pipe that stays silent and open is taken as ended after a while; `remark` then says so. Returns what is wrong, if
/// anything. `until`: when the time of the run is over. `goes_on`: false if the user does not want to wait.
std::string keep_input(std::optional<std::chrono::steady_clock::time_point> until, const std::function<bool()>& goes_on,
                       std::string& remark);

}  // namespace heddle::cli
