// What `heddle replay` may run.
//
// A trace is data, and may come from a stranger. It names a program, arguments, a folder and perhaps an oracle, which
// is a command line. They are used if the seal of the trace shows that heddle wrote it for this user on this machine
// (trace/seal.hpp), and the program there still has the build id of the trace. In every other case the user names the
// program, its arguments and the oracle on the command line, and what the trace says about them is only shown.
#pragma once

#include <string>
#include <vector>

#include "trace/file.hpp"

namespace heddle::cli {

struct ReplayWords {
  std::string error;               // not empty: nothing may be run
  std::vector<std::string> words;  // the path of the program, and its arguments
  std::string directory;           // where to run it; empty: here
  std::string oracle;              // a command that judges the output; empty: none
};

/// `program`, `oracle`: what the user typed; may be empty.
ReplayWords words_to_replay(const LoadedTrace& loaded, const std::string& file, const std::vector<std::string>& program,
                            const std::string& oracle);

}  // namespace heddle::cli
