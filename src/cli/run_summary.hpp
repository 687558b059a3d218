// `heddle run`: what is printed at the end, after the failures.
#pragma once

#include <cstddef>
#include <vector>

#include "cli/run_options.hpp"
#include "preload/channel.hpp"
#include "report/instrumented_code.hpp"
#include "report/progress.hpp"
#include "report/suppressions.hpp"

namespace heddle::cli {

report::ProgressNumbers numbers_of(const preload::Channel& channel);

/// How much of each module of an instrumented program is instrumented; empty if the program is not.
std::vector<report::InstrumentedCode> instrumented_code(const preload::Channel& channel);

/// For an exploration that no bug ended. `stopped`: by the user.
void report_end(const RunOptions& options, const preload::Channel& channel, std::size_t bugs, bool stopped,
                const report::Suppressions& suppressions);

/// What else the user must know to judge the result: the isolation used, and what was not under control.
void report_notes(const preload::Channel& channel);

/// For --explain-search.
void explain_search(const preload::Channel& channel);

}  // namespace heddle::cli
