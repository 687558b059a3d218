#include "preload/prefixed.hpp"

#include <cstdio>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/raw.hpp"
#include "preload/descriptors.hpp"
#include "strategy/replay.hpp"

namespace heddle::preload {
namespace {

std::unique_ptr<strategy::Strategy> first_enabled() {
  auto strategy = std::make_unique<strategy::Replay>(std::span<const Choice>(), false);
  Random unused(0);
  strategy->begin(unused);
  return strategy;
}

}  // namespace

Prefixed::Prefixed(engine::InProcess& inner, engine::Carrier& carrier, Forked& whole, Streams& streams, Board& board)
    : inner_(inner),
      carrier_(carrier),
      streams_(streams),
      board_(board),
      report_(board),
      keeper_(whole),
      from_step_(board.request.from_step) {}

void Prefixed::open() {
  inner_.open();
  if (!begun_) run_beginning();
}

// A copy goes ahead, and tells how many donors there should be before anybody stands anywhere, and whether this process
// may stand at the gate: not if something is open there that all executions would share.
std::uint32_t Prefixed::scout() {
  report_.expect();
  const auto strategy = first_enabled();
  const std::vector<int> open_before = open_descriptors();
  const int process = fork_copy();
  if (process == 0) {
    if (!inner_.run_up_to(*this, *strategy)) raw::exit_process(0);
    if (const std::string shared = shared_descriptor(open_before); !shared.empty())
      std::snprintf(board_.isolation_text, sizeof board_.isolation_text,
                    "forked before main: %s is open at its first choice", shared.c_str());
    strategy_ = strategy.get();
    report_.tell(inner_.resume());
    raw::exit_process(0);
  }
  board_.counts.process.store(process, std::memory_order_relaxed);
  const int status = wait_for_copy(process);
  board_.counts.process.store(0, std::memory_order_relaxed);
  return report_.read(status).operations;
}

void Prefixed::run_beginning() {
  begun_ = true;
  const Streams::Point start = streams_.here();
  carrier_.keep_ready(scout());
  keeper_.start();
  streams_.put_back(start);
  if (board_.isolation_text[0] != '\0') return;
  const auto beginning = first_enabled();
  is_at_gate_ = inner_.run_up_to(*this, *beginning);
  streams_.reopen();
  gate_ = streams_.here();
}

engine::ExecutionResult Prefixed::run(strategy::Strategy& strategy, bool record) {
  if (record || !is_at_gate_) return keeper_.run(strategy, record);
  report_.expect();
  streams_.put_back(gate_);
  strategy_ = &strategy;
  const int process = fork_copy();
  if (process == 0) report_.tell(inner_.resume());
  board_.counts.process.store(process, std::memory_order_relaxed);
  const int status = wait_for_copy(process);
  board_.counts.process.store(0, std::memory_order_relaxed);
  return report_.read(status);
}

bool Prefixed::is_at(std::uint64_t step, bool is_choice) const {
  return from_step_ != 0 ? step > from_step_ : is_choice;
}

strategy::Strategy& Prefixed::pass() {
  inner_.pause();
  return *strategy_;  // in a copy
}

}  // namespace heddle::preload
