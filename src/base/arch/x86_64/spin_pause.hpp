// Tells the processor that the caller spins. The processor then saves power and speeds up the other thread of its core.
#pragma once

namespace heddle {

inline void spin_pause() { __builtin_ia32_pause(); }

}  // namespace heddle
