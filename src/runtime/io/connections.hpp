// Which object is behind a socket: the two ends of a connection inside the process share one.
//
// A connection begins as the object of the socket that requested it. That step also touches the listener, which is
// found by its address. The socket that `accept` makes then gets the object of its peer. A TCP peer is found by its
// address. Ends of unix sockets have no names, so their connections are assumed to be accepted in the order in which
// they were requested.
#pragma once

#include <sys/socket.h>

#include <cstdint>

namespace heddle::runtime::io {

void made_socket(int number, int domain, int type);

/// Called in the step of an `accept` that made a socket. False: the other side is in another process, or not known.
bool accepted(int listener, int made);

/// The descriptor of the socket of this process that listens there; -1: none is known.
int listener_at(const sockaddr* address, socklen_t size);
/// Called in the step of a `connect` to that listener: before the call, and after it if it succeeded or is in progress.
void connects_to(int listener);
void connected_to(int listener, int descriptor, const sockaddr* address);

}  // namespace heddle::runtime::io
