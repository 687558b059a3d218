// How heddle makes files.
//
// A file appears whole or not at all, even if the process is killed meanwhile. It is never made through a symbolic link
// and never in a file that is already there, so no other user of a shared folder can choose what is overwritten
// (O_EXCL, O_NOFOLLOW).
#pragma once

#include <string>
#include <string_view>

namespace heddle {

enum class IfThere { replace, fail };

/// Returns 0 or an errno; EEXIST if the file is there and is not to be replaced. Replacing puts the new file in the
/// place of the old one, or of a symbolic link: what the link led to stays.
int write_new_file(const std::string& path, std::string_view text, IfThere if_there);

/// For a file that the user named: a device or a pipe is written to, and a symbolic link to a file is refused (ELOOP).
int write_output(const std::string& path, std::string_view text);

/// The same for output that comes bit by bit. Returns the descriptor, or -errno.
int open_output(const std::string& path);

/// Returns 0 or an errno.
int write_whole(int descriptor, std::string_view text);

}  // namespace heddle
