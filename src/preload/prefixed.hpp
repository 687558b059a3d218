// Executions that share their beginning: the exploring process itself runs up to a scheduling point, stops there, and
// is forked for each execution.
//
// By default that is where the first thread is about to begin, or the first choice of a value. All executions are
// identical before it, so no schedule is lost, and what the program does before it starts its threads is done only
// once. A later point (--from-step) leaves out the schedules that differ before it; the beginning then takes the first
// enabled operation at every choice. An execution that must be observed from its beginning, because it is recorded, is
// forked from a process that was kept there.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/carrier.hpp"
#include "engine/in_process.hpp"
#include "engine/isolation.hpp"
#include "engine/scheduler.hpp"
#include "preload/channel.hpp"
#include "preload/forked.hpp"
#include "preload/forked_copy.hpp"
#include "preload/pristine_process.hpp"
#include "preload/streams.hpp"

namespace heddle::preload {

class Prefixed final : public engine::Isolation, private engine::Gate {
 public:
  Prefixed(engine::InProcess& inner, engine::Carrier& carrier, Forked& whole, Streams& streams, Channel& channel);

  void open() override;
  void close() override { inner_.close(); }
  bool starts_fresh() const override { return true; }
  void set_points(engine::Points points) override;
  void set_choices(engine::Choices choices) override;
  engine::ExecutionResult run(engine::Chooser chooser, bool record) override;
  OperationId running() const override { return inner_.running(); }
  engine::ExecutionResult so_far(const Verdict& verdict) override { return inner_.so_far(verdict); }

 private:
  bool is_at(std::uint64_t step, bool leads_to_choice) const override;
  engine::Chooser pass() override;
  void run_beginning();
  std::uint32_t scout();
  static std::string shared_at_gate(const std::vector<int>& open_before);

  engine::InProcess& inner_;
  engine::Carrier& carrier_;
  Streams& streams_;
  Channel& channel_;
  Report report_;
  PristineProcess pristine_;
  Streams::Point gate_;
  std::uint64_t from_step_;
  std::optional<engine::Chooser> chooser_;  // for the execution that is about to continue
  bool begun_ = false;
  bool may_stop_at_gate_ = false;
  bool is_at_gate_ = false;
  bool fits_gate_ = true;  // the next executions come to the gate as this process did
};

}  // namespace heddle::preload
