// What is outside: signals that other processes send, child processes that end; and loops that wait for a write.
//
// It is looked at when nobody can go on, and when a signal handler called for attention. Who watches the outside (the
// runtime) fills this in.
#pragma once

#include "base/ids.hpp"

namespace heddle::engine {

struct Outside {
  /// Nobody can go on: waits for something outside, and moves on whoever waited for it. False: nobody does.
  bool (*wait)() = nullptr;
  /// The running operation stands before its next step: takes in what came from outside.
  void (*attend)() = nullptr;
  /// One who waits in a loop for a write; kNoOperation: nobody.
  OperationId (*spinner)() = nullptr;
  /// After attention was called for, before every step until it is null: conditions that the program must keep.
  void (*at_every_step)() = nullptr;
};
extern Outside outside;

}  // namespace heddle::engine
