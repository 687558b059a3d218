// Executions in one process, whose memory and descriptors are restored to their state before `main`.
//
// This suits programs that only change memory. First, the program is run a few times both ways. If a rewound execution
// differs from the one in a fresh copy, or something cannot be undone, executions are forked instead, and the reason is
// printed. Every failure, and now and then a passing execution, is compared with the same schedule in a fresh copy.
//
// Unless the user asked for this isolation, heddle abandons it as soon as it is in doubt or does not pay off. The
// command then starts the exploration over with another isolation, so that no verdict can depend on the choice made
// here.
#pragma once

#include <cstdint>
#include <string>

#include "engine/carrier.hpp"
#include "engine/in_process.hpp"
#include "engine/isolation.hpp"
#include "preload/channel.hpp"
#include "preload/forked.hpp"
#include "preload/kernel_state.hpp"
#include "preload/memory_image.hpp"
#include "preload/pristine_process.hpp"
#include "preload/streams.hpp"

namespace heddle::preload {

class Rewound final : public engine::Isolation {
 public:
  /// `on_trial`: another isolation will do as well.
  Rewound(engine::InProcess& inner, engine::Carrier& carrier, Forked& whole, Streams& streams, Channel& channel,
          bool on_trial);

  void open() override;
  void close() override { inner_.close(); }
  bool starts_fresh() const override { return true; }
  void set_points(engine::Points points) override;
  void set_choices(engine::Choices choices) override;
  engine::ExecutionResult run(engine::Chooser chooser, bool record) override;
  OperationId running() const override { return inner_.running(); }
  engine::ExecutionResult so_far(const Verdict& verdict) override { return inner_.so_far(verdict); }

 private:
  void begin();
  engine::ExecutionResult run_here(engine::Chooser chooser);
  engine::ExecutionResult run_in_this_process(engine::Chooser chooser);
  std::string objection();
  std::string objection_to_memory();
  std::string objection_to_rewinding();
  bool put_back();
  bool is_compared(const engine::ExecutionResult& result);
  void give_up(const std::string& why);

  engine::InProcess& inner_;
  engine::Carrier& carrier_;
  Forked& whole_;
  Streams& streams_;
  Channel& channel_;
  PristineProcess pristine_;
  MemoryImage image_;
  Streams::Point start_;
  KernelState kernel_;
  std::uint32_t donors_ = 0;
  const bool on_trial_;
  std::uint64_t executions_ = 0;
  std::uint64_t compare_at_ = 1;  // the next passing execution that is compared
  bool crashed_ = false;          // a crashed execution may have written anywhere before
  int own_process_ = 0;
  int input_ = -1;            // a duplicate of the standard input
  int free_descriptor_ = -1;  // the lowest free one before `main`
  bool begun_ = false;
  bool rewinds_ = false;
};

}  // namespace heddle::preload
