// Output from several places in memory that may have to wait in the middle.
#pragma once

#include <sys/socket.h>
#include <sys/uio.h>

#include <cstddef>

namespace heddle::runtime::io {

std::size_t total_size(const iovec* parts, std::size_t count);

/// Into a pipe, by the running operation: in pieces for which there is room. The bytes written, or minus errno.
long write_in_pieces(int descriptor, const iovec* parts, std::size_t count, const void* place);

/// Through a socket that blocks, as one message or, on a stream, until all is sent.
long send_message(int descriptor, const msghdr& message, int flags, const void* place);
long send_gathered(int descriptor, const iovec* parts, std::size_t count, int flags, const void* place);

}  // namespace heddle::runtime::io
