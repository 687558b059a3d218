// What is outside: signals that other processes send, child processes that end.
//
// It is looked at when nobody can go on, and when a signal handler called for attention. Who watches the outside (the
// runtime) fills this in.
#pragma once

namespace heddle::engine {

struct Outside {
  /// Nobody can go on: waits for something outside, and moves on whoever waited for it. False: nobody does.
  bool (*wait)() = nullptr;
  /// The running operation stands before its next step: takes in what came from outside.
  void (*attend)() = nullptr;
};
extern Outside outside;

}  // namespace heddle::engine
