// Executions in one process, whose memory and descriptors are put back to what they were before `main`.
//
// For programs that only touch memory. Before it is used the program is run a few times both ways: if an execution
// that was rewound to is not the one that a fresh copy gives, or something cannot be undone, executions are forked
// instead, and the reason is said. Failures are run again in a fresh copy.
#pragma once

#include <cstdint>
#include <string>

#include "engine/carrier.hpp"
#include "engine/in_process.hpp"
#include "engine/isolation.hpp"
#include "preload/board.hpp"
#include "preload/forked.hpp"
#include "preload/keeper.hpp"
#include "preload/memory_image.hpp"
#include "preload/streams.hpp"

namespace heddle::preload {

class Rewound final : public engine::Isolation {
 public:
  Rewound(engine::InProcess& inner, engine::Carrier& carrier, Forked& whole, Streams& streams, Board& board);

  void open() override;
  void close() override { inner_.close(); }
  bool starts_fresh() const override { return true; }
  void set_points(engine::Points points) override;
  engine::ExecutionResult run(strategy::Strategy& strategy, bool record) override;
  OperationId running() const override { return inner_.running(); }
  engine::ExecutionResult so_far(const Verdict& verdict) override { return inner_.so_far(verdict); }

 private:
  void begin();
  engine::ExecutionResult run_here(strategy::Strategy& strategy);
  std::string objection();
  bool put_back();
  void give_up(const std::string& why);

  engine::InProcess& inner_;
  engine::Carrier& carrier_;
  Forked& whole_;
  Streams& streams_;
  Board& board_;
  Keeper keeper_;
  MemoryImage image_;
  Streams::Point start_;
  std::uint32_t donors_ = 0;
  int input_ = -1;            // the standard input once more, kept
  int free_descriptor_ = -1;  // the lowest before `main`
  bool begun_ = false;
  bool rewinds_ = false;
};

}  // namespace heddle::preload
