#include "runtime/io/peers.hpp"

#include <sys/socket.h>

#include <algorithm>
#include <cstring>

#include "runtime/io/descriptors.hpp"
#include "runtime/io/kernel.hpp"

namespace heddle::runtime::io {
namespace {

struct Address {
  sockaddr_storage bytes{};
  socklen_t size = sizeof bytes;
  bool operator==(const Address& other) const {
    return size == other.size && std::memcmp(&bytes, &other.bytes, size) == 0;
  }
};

bool read_address(long number, int descriptor, Address& address) {
  return kernel(number, descriptor, &address.bytes, &address.size) == 0;
}

/// For unix sockets, whose ends need no names.
bool was_made_by_us(int descriptor) {
  ucred maker{};
  socklen_t size = sizeof maker;
  return kernel(SYS_getsockopt, descriptor, SOL_SOCKET, SO_PEERCRED, &maker, &size) == 0 &&
         maker.pid == kernel(SYS_getpid);
}

bool is_one_of_ours(const Address& peer) {
  for (int other = 0; other < descriptors.end(); ++other) {
    Address own;
    if (descriptors.of(other).nature == Nature::socket && read_address(SYS_getsockname, other, own) && own == peer)
      return true;
  }
  return false;
}

bool is_peer_here(int descriptor) {
  Address peer;
  if (!read_address(SYS_getpeername, descriptor, peer)) return false;
  return peer.bytes.ss_family == AF_UNIX ? was_made_by_us(descriptor) : is_one_of_ours(peer);
}

}  // namespace

bool are_peers_here(const Wanted& wanted) {
  return std::all_of(wanted.descriptors, wanted.descriptors + wanted.count, [](const pollfd& one) {
    return one.fd < 0 || descriptors.of(one.fd).inside || is_peer_here(one.fd);
  });
}

}  // namespace heddle::runtime::io
