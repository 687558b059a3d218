#include "preload/prefixed.hpp"

#include <sys/syscall.h>

#include <atomic>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "base/raw.hpp"
#include "preload/descriptors.hpp"
#include "strategy/support/replay.hpp"

namespace heddle::preload {
Prefixed::Prefixed(engine::InProcess& inner, engine::Carrier& carrier, Forked& whole, Streams& streams,
                   Channel& channel)
    : inner_(inner),
      carrier_(carrier),
      streams_(streams),
      channel_(channel),
      report_(channel),
      pristine_(whole, channel.request),
      from_step_(channel.request.from_step) {}

void Prefixed::open() {
  inner_.open();
  if (!begun_) run_beginning();
}

// A copy runs ahead and reports two things: how many donor threads to create before any operation has started, and
// whether this process may stop at the gate. It may not if something is open there that all executions would share.
// It does not if it never came there.
std::uint32_t Prefixed::scout() {
  const auto strategy = strategy::first_enabled();
  const auto came_to_gate = std::make_unique<std::atomic<bool>>(false);  // visible to all processes
  const std::vector<int> open_before = open_descriptors();
  const auto go_ahead = [&] {
    if (!inner_.run_up_to(*this, *strategy)) return inner_.ended();
    *came_to_gate = true;
    if (const std::string shared = shared_at_gate(open_before); !shared.empty())
      std::snprintf(channel_.isolation_text, sizeof channel_.isolation_text, "forked before main: %s", shared.c_str());
    chooser_.emplace(*strategy);
    return inner_.resume();
  };
  const engine::ExecutionResult ahead = report_.of_copy(go_ahead);
  if (ahead.ended_unseen)
    std::snprintf(channel_.isolation_text, sizeof channel_.isolation_text,
                  "forked before main: its process ends by a system call that heddle does not see");
  may_stop_at_gate_ = *came_to_gate && channel_.isolation_text[0] == '\0';
  return ahead.contexts;
}

/// What all executions would share there; empty if there is nothing.
std::string Prefixed::shared_at_gate(const std::vector<int>& open_before) {
  if (has_children()) return "it has started a process before its first choice";
  const std::string shared = shared_descriptor(open_before);
  return shared.empty() ? shared : shared + " is open at its first choice";
}

void Prefixed::run_beginning() {
  begun_ = true;
  const Streams::Point start = streams_.here();
  carrier_.keep_ready(scout());
  pristine_.start();
  streams_.put_back(start);
  if (!may_stop_at_gate_) return;
  const auto beginning = strategy::first_enabled();
  channel_.counts.process = static_cast<int>(raw::syscall6(SYS_getpid, 0, 0, 0, 0, 0, 0));
  is_at_gate_ = inner_.run_up_to(*this, *beginning);
  channel_.counts.process = 0;
  streams_.reopen();
  gate_ = streams_.here();
}

/// The gate was found with the requested points. Accesses that are points are steps before the gate as well, so a
/// program that reports its accesses takes other steps with other points.
void Prefixed::set_points(engine::Points points) {
  fits_gate_ = points == channel_.request.points || !channel_.instrumented;
  inner_.set_points(points);
  pristine_.set_points(points);
}

void Prefixed::set_choices(engine::Choices choices) {
  inner_.set_choices(choices);
  pristine_.set_choices(choices);
}

engine::ExecutionResult Prefixed::run(engine::Chooser chooser, bool record) {
  if (record || !is_at_gate_ || !fits_gate_) return pristine_.run(chooser, record);
  streams_.put_back(gate_);
  chooser_ = chooser;
  return report_.of_copy([&] { return inner_.resume(); });
}

bool Prefixed::is_at(std::uint64_t step, bool leads_to_choice) const {
  return from_step_ != 0 ? step > from_step_ : leads_to_choice;
}

engine::Chooser Prefixed::pass() {
  inner_.pause();
  return *chooser_;  // in a copy
}

}  // namespace heddle::preload
