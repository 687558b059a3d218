// The name of one end of a connection, as reported by the kernel.
#pragma once

#include <sys/socket.h>

#include <cstring>

#include "runtime/io/kernel.hpp"

namespace heddle::runtime::io {

struct SocketAddress {
  sockaddr_storage bytes{};
  socklen_t size = sizeof bytes;

  bool operator==(const SocketAddress& other) const {
    return size == other.size && std::memcmp(&bytes, &other.bytes, size) == 0;
  }
  /// `number`: SYS_getsockname or SYS_getpeername. False: it has no name.
  bool read(long number, int descriptor) { return kernel(number, descriptor, &bytes, &size) == 0; }
};

/// For unix sockets, whose ends need no names: true if this process made the other end.
inline bool is_peer_of_this_process(int descriptor) {
  ucred maker{};
  socklen_t size = sizeof maker;
  return kernel(SYS_getsockopt, descriptor, SOL_SOCKET, SO_PEERCRED, &maker, &size) == 0 &&
         maker.pid == kernel(SYS_getpid);
}

}  // namespace heddle::runtime::io
