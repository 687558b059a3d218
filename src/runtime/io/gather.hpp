// Output gathered from several places in memory, which may have to wait in the middle.
#pragma once

#include <sys/socket.h>
#include <sys/uio.h>

#include <cstddef>

namespace heddle::runtime::io {

std::size_t total_size(const iovec* parts, std::size_t count);

/// Writes into a pipe, by the running operation, in pieces that fit. Returns the bytes written, or minus errno.
long write_in_pieces(int descriptor, const iovec* parts, std::size_t count, const void* place);

/// Sends through a blocking socket, as one message or, on a stream, until everything is sent.
long send_message(int descriptor, const msghdr& message, int flags, const void* place);
long send_gathered(int descriptor, const iovec* parts, std::size_t count, int flags, const void* place);

}  // namespace heddle::runtime::io
