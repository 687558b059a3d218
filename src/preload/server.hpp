// The exploration of a whole program, inside a process of it that never gets to `main` itself.
#pragma once

#include "preload/board.hpp"

namespace heddle::preload {

/// The mapping that `heddle run` made for this process; null if it was not started by it.
Board* board_of_environment();

/// Explores as the board asks, and writes there what came of it. Returns the exit code of this process.
int serve(Board& board);

}  // namespace heddle::preload
