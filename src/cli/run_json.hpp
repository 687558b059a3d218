// The outcome of an exploration as JSON, for other programs.
#pragma once

#include <string>
#include <vector>

#include "preload/channel.hpp"
#include "report/instrumented_code.hpp"
#include "report/suppressions.hpp"

namespace heddle::cli {

struct RunSummary {
  std::string program;
  std::string strategy;
  std::uint64_t seed = 0;
  std::vector<std::string> verdicts;  // of the distinct bugs, as reported
  std::vector<std::string> traces;    // path of each bug's trace; empty: none was written
  std::vector<report::InstrumentedCode> instrumented;
  std::uint64_t suppressed_races = 0;
};

/// Returns what is wrong if the file cannot be written.
std::string write_json(const RunSummary& summary, const preload::Channel& channel, const std::string& path);

}  // namespace heddle::cli
