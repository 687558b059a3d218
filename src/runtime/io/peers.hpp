// Whether the other side of a connection is in this process too: then nobody outside can make it ready.
#pragma once

#include "runtime/io/waiting.hpp"

namespace heddle::runtime::io {

/// Of every descriptor that is wanted: it is inside, or connected to a socket of this process.
bool are_peers_here(const Wanted& wanted);

}  // namespace heddle::runtime::io
