// Executions in one process, whose memory and descriptors are put back to what they were before `main`.
//
// For programs that only touch memory. Before it is used the program is run a few times both ways: if an execution
// that was rewound to is not the one that a fresh copy gives, or something cannot be undone, executions are forked
// instead, and the reason is said. Every failure, and now and then an execution that passes, is compared with the same
// schedule in a fresh copy.
//
// If nobody asked for this isolation in particular, it is left as soon as it is in doubt or does not pay: the command
// then begins the exploration anew with another, so that no verdict can depend on what was chosen here.
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
  engine::ExecutionResult run(engine::Chooser chooser, bool record) override;
  OperationId running() const override { return inner_.running(); }
  engine::ExecutionResult so_far(const Verdict& verdict) override { return inner_.so_far(verdict); }

 private:
  void begin();
  engine::ExecutionResult run_here(engine::Chooser chooser);
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
  std::uint64_t compare_at_ = 1;  // the next that is compared although it passes
  bool crashed_ = false;          // what an execution that crashed wrote before may be anywhere
  int input_ = -1;                // the standard input once more, kept
  int free_descriptor_ = -1;      // the lowest before `main`
  bool begun_ = false;
  bool rewinds_ = false;
};

}  // namespace heddle::preload
