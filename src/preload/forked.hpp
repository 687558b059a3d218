// Runs each execution in a forked copy of the program, taken before `main`.
//
// Only the carrier thread runs, so one plain fork system call copies a program with any number of threads: the copy
// needs nothing of the donor threads but their memory. What strategies learn and the results of the execution go
// through shared memory.
#pragma once

#include "engine/carrier.hpp"
#include "engine/in_process.hpp"
#include "engine/isolation.hpp"
#include "preload/channel.hpp"
#include "preload/forked_copy.hpp"
#include "preload/streams.hpp"

namespace heddle::preload {

class Forked final : public engine::Isolation {
 public:
  Forked(engine::InProcess& inner, engine::Carrier& carrier, Streams& streams, Channel& channel);

  void open() override { inner_.open(); }
  void close() override { inner_.close(); }
  bool starts_fresh() const override { return true; }
  void set_points(engine::Points points) override { inner_.set_points(points); }
  void set_choices(engine::Choices choices) override { inner_.set_choices(choices); }
  engine::ExecutionResult run(engine::Chooser chooser, bool record) override;
  OperationId running() const override { return inner_.running(); }
  engine::ExecutionResult so_far(const Verdict& verdict) override { return inner_.so_far(verdict); }

 private:
  engine::InProcess& inner_;
  engine::Carrier& carrier_;
  Streams& streams_;
  Report report_;
  Streams::Point start_;
};

}  // namespace heddle::preload
