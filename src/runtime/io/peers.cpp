#include "runtime/io/peers.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>

#include "runtime/io/descriptors.hpp"
#include "runtime/io/kernel.hpp"
#include "runtime/io/socket_address.hpp"

namespace heddle::runtime::io {
namespace {

constexpr int kLookedAt = 256;  // the first numbers of the process; higher ones are assumed to be elsewhere

bool is_one_of_ours(const SocketAddress& peer) {
  for (int other = 0; other < std::max(descriptors.end(), kLookedAt); ++other) {
    SocketAddress own;
    if (descriptors.of(other).nature == Nature::socket && own.read(SYS_getsockname, other) && own == peer) return true;
  }
  return false;
}

bool is_peer_here(const SocketAddress& peer, int descriptor) {
  return peer.bytes.ss_family == AF_UNIX ? is_peer_of_this_process(descriptor) : is_one_of_ours(peer);
}

bool is_peer_here(int descriptor) {
  SocketAddress peer;
  return peer.read(SYS_getpeername, descriptor) && is_peer_here(peer, descriptor);
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
  SocketAddress peer;
  return what.nature == Nature::socket && peer.read(SYS_getpeername, descriptor) && !is_peer_here(peer, descriptor);
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
