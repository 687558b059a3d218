#include "heddle/specification.hpp"

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <utility>

#include "base/printable.hpp"
#include "runtime/front.hpp"

namespace heddle {

using runtime::front;

/// The specifications of the running execution, newest first. An execution that fails leaves its own behind; they are
/// forgotten when the next execution adds one.
struct LiveSpecifications {
  Specification* first = nullptr;
  std::uint64_t execution = 0;

  void add(Specification& added) {
    if (execution != front.execution_number()) first = nullptr;
    execution = front.execution_number();
    added.next_ = std::exchange(first, &added);
    front.execution().check_at_every_step(check_all);
  }
  void remove(Specification& removed) {
    for (Specification** at = &first; *at != nullptr; at = &(*at)->next_) {
      if (*at != &removed) continue;
      *at = removed.next_;
      break;
    }
    if (first == nullptr) front.execution().check_at_every_step(nullptr);
  }

  static void check_all();
};

namespace {

LiveSpecifications live;

}  // namespace

void LiveSpecifications::check_all() {
  for (Specification* one = live.first; one != nullptr; one = one->next_) one->check(false);
}

Specification::Specification(Kind kind, std::function<bool()> condition, std::string message)
    : kind_(kind),
      exceptions_(std::uncaught_exceptions()),
      condition_(std::move(condition)),
      message_(std::move(message)) {
  if (is_exploring()) {
    since_ = front.scheduler().steps();
    live.add(*this);
  }
  check(false);
}

Specification::~Specification() {
  if (is_exploring()) live.remove(*this);
  if (std::uncaught_exceptions() == exceptions_) check(true);  // otherwise the exception is the verdict
}

void Specification::check(bool is_end) {
  if (has_held_) return;
  bool holds;
  if (is_exploring()) {
    const engine::Uncontrolled heddle_at_work;
    holds = condition_();
  } else {
    holds = condition_();
  }
  if (kind_ == Kind::always) {
    if (!holds) violated("does not hold");
    return;
  }
  has_held_ = holds;
  if (holds) return;
  if (is_end) violated("never held");
  if (!is_exploring() || !front.scheduler().strategy().is_fair()) return;
  if (front.scheduler().steps() - since_ > front.execution().steps_max() / 2) violated("has not held for too long");
}

void Specification::violated(const char* how) {
  const std::string text = message_ + ": " + how;
  if (is_exploring()) front.execution().fail(VerdictKind::specification, text);
  std::fprintf(stderr, "heddle: a specification outside an exploration: %s\n", printable_lines(text).c_str());
  std::abort();
}

}  // namespace heddle
