// Ends the process with a code, each code from a place of its own: heddle tells failures apart by their places.
#pragma once

#include <unistd.h>

#include <cstdlib>
#include <utility>

namespace heddle::oracle {

inline constexpr int kCodes = 48;

enum class EndBy : unsigned char { exit, immediate_exit, quick_exit };

template <int Code>
[[gnu::noinline]] void end_process_with(EndBy how) {
  if (how == EndBy::immediate_exit) _exit(Code);
  if (how == EndBy::quick_exit) std::quick_exit(Code);
  std::exit(Code);
}

/// `code` is below kCodes.
inline void end_process_with(int code, EndBy how) {
  [&]<int... Codes>(std::integer_sequence<int, Codes...>) {
    ((code == Codes ? end_process_with<Codes>(how) : void()), ...);
  }
  (std::make_integer_sequence<int, kCodes>());
}

}  // namespace heddle::oracle
