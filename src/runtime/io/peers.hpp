// Whether the other side of a connection is in this process too: then nobody outside can make it ready.
#pragma once

#include "runtime/io/waiting.hpp"

namespace heddle::runtime::io {

/// Of every descriptor that is wanted: it is inside, or connected to a socket of this process.
bool are_peers_here(const Wanted& wanted);

/// One of them is a pipe or a connection whose other side this process does not hold.
bool is_any_peer_elsewhere(const Wanted& wanted);

}  // namespace heddle::runtime::io
