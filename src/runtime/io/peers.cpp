#include "runtime/io/peers.hpp"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstring>

#include "runtime/io/descriptors.hpp"
#include "runtime/io/kernel.hpp"

namespace heddle::runtime::io {
namespace {

constexpr int kLookedAt = 256;  // the first numbers of the process; what lies higher is taken to be elsewhere

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
  for (int other = 0; other < std::max(descriptors.end(), kLookedAt); ++other) {
    Address own;
    if (descriptors.of(other).nature == Nature::socket && read_address(SYS_getsockname, other, own) && own == peer)
      return true;
  }
  return false;
}

bool is_peer_here(const Address& peer, int descriptor) {
  return peer.bytes.ss_family == AF_UNIX ? was_made_by_us(descriptor) : is_one_of_ours(peer);
}

bool is_peer_here(int descriptor) {
  Address peer;
  return read_address(SYS_getpeername, descriptor, peer) && is_peer_here(peer, descriptor);
}

bool is_other_end_here(int descriptor) {
  struct stat pipe {};
  if (kernel(SYS_fstat, descriptor, &pipe) != 0) return true;
  const long access = kernel(SYS_fcntl, descriptor, F_GETFL, 0L) & O_ACCMODE;
  for (int other = 0; other < kLookedAt; ++other) {
    struct stat about {};
    if (kernel(SYS_fstat, other, &about) != 0 || about.st_ino != pipe.st_ino || about.st_dev != pipe.st_dev) continue;
    if ((kernel(SYS_fcntl, other, F_GETFL, 0L) & O_ACCMODE) != access) return true;
  }
  return access == O_RDWR;
}

bool is_peer_elsewhere(int descriptor) {
  const Descriptor what = descriptors.of(descriptor);
  if (what.inside) return false;
  if (what.nature == Nature::pipe) return !is_other_end_here(descriptor);
  Address peer;
  return what.nature == Nature::socket && read_address(SYS_getpeername, descriptor, peer) &&
         !is_peer_here(peer, descriptor);
}

}  // namespace

bool is_any_peer_elsewhere(const Wanted& wanted) {
  return std::any_of(wanted.descriptors, wanted.descriptors + wanted.count,
                     [](const pollfd& one) { return one.fd >= 0 && is_peer_elsewhere(one.fd); });
}

bool are_peers_here(const Wanted& wanted) {
  if (wanted.lock != nullptr) return is_held_here(*wanted.lock);
  return std::all_of(wanted.descriptors, wanted.descriptors + wanted.count, [](const pollfd& one) {
    return one.fd < 0 || descriptors.of(one.fd).inside || is_peer_here(one.fd);
  });
}

}  // namespace heddle::runtime::io
