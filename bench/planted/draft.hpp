// What the kinds of bugs are planted into: threads that lock, count and post beside each other, from a seed.
//
// Demands are planted one after the other, and what a demand needs of a thread stands behind what the demands before it
// need of it. So there is always a schedule that meets them all: one demand after the other. Whatever else a thread
// does ends by itself, and takes no lock of a demand.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <vector>

#include "numbers.hpp"
#include "program.hpp"

namespace planted {

class Draft {
 public:
  /// `apart`: each demand may be made of another thread; else all are made of the thread 0.
  Draft(Numbers& numbers, std::size_t threads, bool apart);

  Numbers& numbers() { return numbers_; }
  std::uint8_t new_word() { return words_++; }
  std::uint8_t new_lock() { return locks_++; }
  std::uint8_t new_queue() { return queues_++; }

  /// The code of which the next demand is made.
  std::size_t victim();
  /// Any code but that one.
  std::size_t other_than(std::size_t code);
  /// The code that one thread alone runs; never a victim unless demands are made apart.
  std::size_t loner() const { return 1; }
  std::size_t codes() const { return codes_.size(); }
  std::size_t threads_of(std::size_t code) const;
  /// Is what comes next in `code` likely to come later than what comes next in `other`?
  bool is_later(std::size_t code, std::size_t other) const { return codes_[code].size() > codes_[other].size(); }

  /// Adds to the end of the code, behind steps that do not matter.
  void append(std::size_t code, const Code& part);
  /// The same, for what only armed threads do.
  void append_armed(std::size_t code, Code part);
  /// The demand that has just been appended to `code` is complete.
  void demanded(std::size_t code);
  /// Steps that do not matter. They may change the register.
  Code idle();

  Program finish(bool fails);

 private:
  Numbers& numbers_;
  const bool apart_;
  const std::size_t idle_max_;
  std::vector<Code> codes_;
  std::vector<std::size_t> threads_;
  int demands_ = 0;
  std::uint8_t words_ = kIdle;
  std::uint8_t locks_ = kIdle;
  std::uint8_t queues_ = 0;

  static constexpr std::uint8_t kIdle = 3;  // words, locks and semaphores that the steps which do not matter use
};

/// One code after the other.
Code joined(std::initializer_list<Code> parts);

}  // namespace planted
