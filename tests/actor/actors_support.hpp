// What the tests of machines share.
#pragma once

#include <cstdint>
#include <functional>

#include "heddle/actor.hpp"
#include "heddle/heddle.hpp"

namespace actors_support {

inline heddle::Options few(std::uint64_t executions = 200) {
  heddle::Options options;
  options.executions = executions;
  options.output = heddle::Output::quiet;
  options.trace_directory = "";
  return options;
}

inline heddle::Result verdict_of(const std::function<void()>& body, std::uint64_t executions = 200) {
  return heddle::try_explore(body, few(executions));
}

}  // namespace actors_support
