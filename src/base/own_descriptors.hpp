// Descriptors that belong to heddle and not to the program under test: a window of numbers.
//
// The program must neither lose numbers to heddle nor reach what is behind them. Where the limit allows it, the window
// lies just above the program's limit of open files: a descriptor that exists already may have any number. The window
// stays low, because a fork copies a process's table of descriptors up to the highest one.
#pragma once

namespace heddle {

class OwnDescriptors {
 public:
  /// Sets the window of this process, which another one has chosen.
  void set(int first) { first_ = first; }
  int first() const { return first_; }
  bool has(int descriptor) const {
    return static_cast<unsigned>(descriptor) - static_cast<unsigned>(first_) < static_cast<unsigned>(kCount);
  }
  /// The number after the last one of the window.
  int end() const { return first_ + kCount; }

  /// Chooses a window that suits the limits of this process.
  void choose();
  /// Moves a descriptor into the window. Returns its new number or, negative, an error; the old number is closed.
  int move(int descriptor, bool close_on_exec) const;
  /// The same, and the old number stays open.
  int copy(int descriptor, bool close_on_exec) const;
  /// Puts a copy at this number of the window.
  void restore(int descriptor, int number) const;

 private:
  static constexpr int kCount = 24;

  int first_ = 1 << 30;  // no window
};

extern OwnDescriptors own_descriptors;

}  // namespace heddle
