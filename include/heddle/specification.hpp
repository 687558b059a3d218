// Simple specifications of a body with ordinary threads, checked while a guard lives.
//
//   auto safe = heddle::always([&] { return balance >= 0; }, "the account is never overdrawn");
//   auto done = heddle::eventually([&] { return served == 3; }, "everybody is served");
//
// For more than a condition: a monitor (heddle/actor/monitor.hpp). The conditions only look: heddle does not control
// what they call. Outside an exploration they are checked when the guard begins and when it ends.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <utility>

#include "heddle/heddle.hpp"

namespace heddle {

/// Lives in one place; what it is about is checked until it dies.
class HEDDLE_API Specification {
 public:
  enum class Kind : std::uint8_t {
    always,      // at every step
    eventually,  // at one of them: within half of Options::steps_max under a fair strategy, and at the end at the
                 // latest
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
  bool has_held_ = false;  // of eventually
  const int exceptions_;   // in flight when it began
  const std::function<bool()> condition_;
  const std::string message_;
  std::uint64_t since_ = 0;  // the step at which it began
  Specification* next_ = nullptr;
};

[[nodiscard]] inline Specification always(std::function<bool()> condition, std::string message) {
  return {Specification::Kind::always, std::move(condition), std::move(message)};
}
[[nodiscard]] inline Specification eventually(std::function<bool()> condition, std::string message) {
  return {Specification::Kind::eventually, std::move(condition), std::move(message)};
}

}  // namespace heddle
