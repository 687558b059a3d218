#include "runtime/io/connections.hpp"

#include <netinet/in.h>

#include <algorithm>
#include <cstring>

#include "runtime/io/descriptors.hpp"
#include "runtime/io/objects.hpp"
#include "runtime/io/socket_address.hpp"
#include "runtime/io/transfer.hpp"

namespace heddle::runtime::io {
namespace {

constexpr std::uint32_t kAny = model::Descriptor::kAny;

bool is_zero(const void* bytes, std::size_t size) {
  const auto* const first = static_cast<const unsigned char*>(bytes);
  return std::all_of(first, first + size, [](unsigned char byte) { return byte == 0; });
}

template <typename Part>
bool reaches(const Part& wanted, const Part& listens) {
  return std::memcmp(&wanted, &listens, sizeof wanted) == 0 || is_zero(&listens, sizeof listens);
}

/// Does connecting to `wanted` reach a socket that listens at `listens`? Zeros stand for every address.
bool reaches(const SocketAddress& wanted, const SocketAddress& listens) {
  if (wanted.bytes.ss_family != listens.bytes.ss_family) return false;
  if (wanted.bytes.ss_family == AF_INET) {
    const auto& to = reinterpret_cast<const sockaddr_in&>(wanted.bytes);
    const auto& at = reinterpret_cast<const sockaddr_in&>(listens.bytes);
    return to.sin_port == at.sin_port && reaches(to.sin_addr, at.sin_addr);
  }
  if (wanted.bytes.ss_family == AF_INET6) {
    const auto& to = reinterpret_cast<const sockaddr_in6&>(wanted.bytes);
    const auto& at = reinterpret_cast<const sockaddr_in6&>(listens.bytes);
    return to.sin6_port == at.sin6_port && reaches(to.sin6_addr, at.sin6_addr);
  }
  return wanted == listens;
}

std::uint32_t object_of_peer(int made) {
  SocketAddress peer;
  if (!peer.read(SYS_getpeername, made)) return kAny;
  for (int other = 0; other < descriptors.end(); ++other) {
    SocketAddress own;
    if (other != made && descriptors.of(other).nature == Nature::socket && own.read(SYS_getsockname, other) &&
        own == peer && !descriptors.of(other).listens)
      return descriptors.of(other).object;
  }
  return kAny;
}

int family_of(int descriptor) {
  SocketAddress own;
  return own.read(SYS_getsockname, descriptor) ? own.bytes.ss_family : AF_UNSPEC;
}

}  // namespace

void made_socket(int number, int domain, int type) {
  constexpr int kTypeBits = 0xf;
  const int kind = type & kTypeBits;
  const bool connects =
      (kind == SOCK_STREAM || kind == SOCK_SEQPACKET) && (domain == AF_UNIX || domain == AF_INET || domain == AF_INET6);
  if (connects)
    descriptors.made(number, Nature::socket, false);
  else
    descriptors.made_of(number, Nature::socket, false, kAny);  // a datagram goes where its address says
}

int listener_at(const sockaddr* address, socklen_t size) {
  SocketAddress wanted;
  if (address == nullptr || size > sizeof wanted.bytes) return -1;
  std::memcpy(&wanted.bytes, address, size);
  wanted.size = size;
  int found = -1;
  for (int other = 0; other < descriptors.end(); ++other) {
    SocketAddress own;
    if (!descriptors.of(other).listens || !own.read(SYS_getsockname, other) || !reaches(wanted, own)) continue;
    if (found >= 0 && descriptors.of(found).object != descriptors.of(other).object) return -1;
    found = other;
  }
  return found;
}

void connects_to(int listener) {
  touch_object(listener < 0 ? kAny : descriptors.of(listener).object, model::Does::writes);
  if (!memory_is_watched) return;
  if (listener < 0)
    objects.release(kAny);
  else
    pass_knowledge(listener, Direction::out);
}

void connected_to(int listener, int descriptor, const sockaddr* address) {
  if (address->sa_family != AF_UNIX) return;
  objects.queue(listener < 0 ? kAny : descriptors.of(listener).object, descriptors.of(descriptor).object);
}

bool accepted(int listener, int made) {
  std::uint32_t object = kAny;
  if (family_of(made) != AF_UNIX)
    object = object_of_peer(made);
  else if (is_peer_of_this_process(made))
    object = objects.unqueue(descriptors.of(listener).object);
  descriptors.made_of(made, Nature::socket, false, object);
  touch_object(object, model::Does::reads);
  return object != kAny;
}

}  // namespace heddle::runtime::io
