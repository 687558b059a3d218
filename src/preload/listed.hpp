// Writes one line about every execution that counts: its number, its steps, the hash of its schedule and its verdict.
// Two explorations that did the same have the same list.
#pragma once

#include <cstdint>

#include "engine/isolation.hpp"

namespace heddle::preload {

class Listed final : public engine::Isolation {
 public:
  Listed(engine::Isolation& inner, int descriptor) : inner_(inner), descriptor_(descriptor) {}

  void open() override { inner_.open(); }
  void close() override { inner_.close(); }
  bool starts_fresh() const override { return inner_.starts_fresh(); }
  void set_points(engine::Points points) override { inner_.set_points(points); }
  engine::ExecutionResult run(strategy::Strategy& strategy, bool record) override;
  OperationId running() const override { return inner_.running(); }
  engine::ExecutionResult so_far(const Verdict& verdict) override { return inner_.so_far(verdict); }

 private:
  engine::Isolation& inner_;
  const int descriptor_;  // negative: no list is wanted
  std::uint64_t number_ = 0;
};

}  // namespace heddle::preload
