#include "preload/prefixed.hpp"

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
      pristine_(whole, channel.request.points),
      from_step_(channel.request.from_step) {}

void Prefixed::open() {
  inner_.open();
  if (!begun_) run_beginning();
}

// A copy goes ahead, and tells how many donors there should be before anybody stands anywhere, and whether this process
// may stand at the gate: not if something is open there that all executions would share.
std::uint32_t Prefixed::scout() {
  const auto strategy = strategy::first_enabled();
  const std::vector<int> open_before = open_descriptors();
  const auto go_ahead = [&] {
    if (!inner_.run_up_to(*this, *strategy)) raw::exit_process(0);
    if (const std::string shared = shared_descriptor(open_before); !shared.empty())
      std::snprintf(channel_.isolation_text, sizeof channel_.isolation_text,
                    "forked before main: %s is open at its first choice", shared.c_str());
    chooser_.emplace(*strategy);
    return inner_.resume();
  };
  return report_.of_copy(go_ahead).operations;
}

void Prefixed::run_beginning() {
  begun_ = true;
  const Streams::Point start = streams_.here();
  carrier_.keep_ready(scout());
  pristine_.start();
  streams_.put_back(start);
  if (channel_.isolation_text[0] != '\0') return;
  const auto beginning = strategy::first_enabled();
  is_at_gate_ = inner_.run_up_to(*this, *beginning);
  streams_.reopen();
  gate_ = streams_.here();
}

/// The gate is where the first choice is with the points that were asked for: with others it may be elsewhere.
void Prefixed::set_points(engine::Points points) {
  fits_gate_ = points == channel_.request.points;
  pristine_.set_points(points);
}

engine::ExecutionResult Prefixed::run(engine::Chooser chooser, bool record) {
  if (record || !is_at_gate_ || !fits_gate_) return pristine_.run(chooser, record);
  streams_.put_back(gate_);
  chooser_ = chooser;
  return report_.of_copy([&] { return inner_.resume(); });
}

bool Prefixed::is_at(std::uint64_t step, bool is_choice) const {
  return from_step_ != 0 ? step > from_step_ : is_choice;
}

engine::Chooser Prefixed::pass() {
  inner_.pause();
  return *chooser_;  // in a copy
}

}  // namespace heddle::preload
