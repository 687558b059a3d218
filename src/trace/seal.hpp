// Which traces this user wrote on this machine.
//
// A trace names a program, its arguments and perhaps a command, and `heddle replay` runs them. A file from elsewhere
// must not choose what is run. So every trace file ends with a seal, a keyed hash of everything before it; the key is
// in a file that only this user can read, and is made when the first trace is written:
//
//   $XDG_STATE_HOME/heddle/key, or ~/.local/state/heddle/key, or /tmp/heddle-<user id>/key if neither can be made
//
// A seal says that heddle wrote this text for this user. It says nothing about whether the text is true, and a trace
// without one loads as any other.
#pragma once

#include <string>
#include <string_view>

namespace heddle {

/// Makes the key if there is none. Empty: there is no key here, so there is no seal.
std::string seal_of(std::string_view text);

/// What a seal is made from, so that the text need not be kept.
std::string digest_of(std::string_view text);
bool is_own_seal(std::string_view digest, std::string_view seal);

}  // namespace heddle
