// What a user can ask of an exploration: one value per option, however it was given.
//
// The command line, the environment, heddle::Options and the header of a trace all end up here (options/table.hpp), and
// this is what the program under test gets. It is plain bytes, because it lies in the mapping that the command shares
// with the program. The part that an execution needs is its base, engine::Settings.
#pragma once

#include <cstdint>
#include <type_traits>

#include "engine/settings.hpp"

namespace heddle::options {

using Text = char[2048];  // zero-terminated

/// How executions are isolated. Automatic: rewind; if that does not work, everything again with prefix.
enum class IsolationMode : std::uint32_t { automatic, prefix, fork, rewind };

/// How the operations of a body are run; for a whole program it is always the carrier.
enum class ExecutorKind : std::uint8_t { carrier, baton };

/// Codes with which a program may exit.
class ExitCodes {
 public:
  static constexpr int kCount = 256;

  constexpr void add(int code) { bits_[code / 64] |= std::uint64_t{1} << (code % 64); }
  constexpr bool has(int code) const { return (bits_[code / 64] >> (code % 64) & 1) != 0; }

 private:
  std::uint64_t bits_[kCount / 64] = {};
};

constexpr ExitCodes only(int code) {
  ExitCodes codes;
  codes.add(code);
  return codes;
}

struct Values : engine::Settings {
  // Which schedules, and how many.
  Text strategy = "portfolio";
  std::uint64_t seed = 1;
  std::uint64_t executions = 0;  // 0: no bound
  double seconds = 0;            // 0: no bound
  bool until_bug = false;        // no implicit bound either
  bool keep_going = false;

  // What counts as a failure.
  ExitCodes exits = only(0);
  Text fail_on_output = "";  // a regular expression; empty: none
  Text oracle = "";          // a command; empty: none
  bool same_output = false;
  std::uint64_t steps_allowed = 0;  // an execution that takes more has failed; 0: no bound

  // How the executions are run.
  IsolationMode isolation = IsolationMode::automatic;
  std::uint64_t from_step = 0;  // for prefix isolation; 0: the first choice
  ExecutorKind executor = ExecutorKind::carrier;
  bool spares = true;   // `choices` are those of a systematic search; a strategy that samples has those that are needed
  bool refines = true;  // points change with the executions; `points` are those of a systematic search
  bool free = false;

  // Files.
  Text promoted_file = "";
  Text suppressions_file = "";
  Text trace_directory = ".";
  Text list_file = "";
  Text json_file = "";
  bool explain_search = false;
};
static_assert(std::is_trivially_copyable_v<Values>);

}  // namespace heddle::options
