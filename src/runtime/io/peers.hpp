// Is the other side of a connection in this process too? Then nothing outside can make it ready.
#pragma once

#include "runtime/io/waiting.hpp"

namespace heddle::runtime::io {

/// True if every wanted descriptor is inside, or connected to a socket of this process.
bool are_peers_here(const Wanted& wanted);

/// True if one of them is a pipe or a connection whose other side this process does not hold.
bool is_any_peer_elsewhere(const Wanted& wanted);

}  // namespace heddle::runtime::io
