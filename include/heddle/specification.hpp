// Simple specifications for a body with ordinary threads. Each is checked while its guard object lives.
//
//   auto safe = heddle::always([&] { return balance >= 0; }, "the account is never overdrawn");
//   auto done = heddle::eventually([&] { return served == 3; }, "everybody is served");
//
// If a condition is not enough, use a monitor (heddle/actor/monitor.hpp). A condition must only look: heddle does not
// control what it calls. Outside an exploration it is checked when the guard is created and when it is destroyed.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <utility>

#include "heddle/heddle.hpp"

namespace heddle {

/// A guard that cannot be copied or moved. Its condition is checked until the guard is destroyed.
class HEDDLE_API Specification {
 public:
  enum class Kind : std::uint8_t {
    always,      // at every step
    eventually,  // at some step: within half of Options::steps_max under a fair strategy, and by the end at the latest
  };

  Specification(Kind kind, std::function<bool()> condition, std::string message);
  Specification(const Specification&) = delete;
  Specification& operator=(const Specification&) = delete;
  ~Specification();

 private:
  friend struct LiveSpecifications;
  void check(bool is_end);
  void violated(const char* how);

  const Kind kind_;
  bool has_held_ = false;  // for eventually
  const int exceptions_;   // in flight when the guard was created
  const std::function<bool()> condition_;
  const std::string message_;
  std::uint64_t since_ = 0;  // the step at which the guard was created
  Specification* next_ = nullptr;
};

[[nodiscard]] inline Specification always(std::function<bool()> condition, std::string message) {
  return {Specification::Kind::always, std::move(condition), std::move(message)};
}
[[nodiscard]] inline Specification eventually(std::function<bool()> condition, std::string message) {
  return {Specification::Kind::eventually, std::move(condition), std::move(message)};
}

}  // namespace heddle
