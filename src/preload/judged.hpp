// The user's rules: which executions that ended well have failed all the same.
//
// Looks at what the execution wrote and how many steps it took. An output that was judged before is not judged again.
#pragma once

#include <cstdint>
#include <regex>
#include <string>
#include <unordered_map>
#include <vector>

#include "engine/isolation.hpp"
#include "preload/channel.hpp"
#include "preload/streams.hpp"

namespace heddle::preload {

class Judged final : public engine::Isolation {
 public:
  Judged(engine::Isolation& inner, const Streams& streams, const Channel& channel);

  void open() override { inner_.open(); }
  void close() override { inner_.close(); }
  bool starts_fresh() const override { return inner_.starts_fresh(); }
  void set_points(engine::Points points) override { inner_.set_points(points); }
  engine::ExecutionResult run(strategy::Strategy& strategy, bool record) override;
  OperationId running() const override { return inner_.running(); }
  engine::ExecutionResult so_far(const Verdict& verdict) override { return inner_.so_far(verdict); }

  /// With --same-output: has an execution written something else than the first did?
  bool saw_another_output() const { return saw_another_output_; }
  const std::vector<Choice>& first_schedule() const { return first_schedule_; }

 private:
  std::string objection(const engine::ExecutionResult& result);
  std::string objection_to_output(const std::string& text);
  bool oracle_accepts() const;

  engine::Isolation& inner_;
  const Streams& streams_;
  const Request& request_;
  std::regex pattern_;
  std::unordered_map<std::uint64_t, std::string> judged_;  // by hash of the output; empty: nothing wrong
  bool has_first_ = false;
  bool saw_another_output_ = false;
  std::string first_output_;
  std::vector<Choice> first_schedule_;
  Verdict verdict_;
};

}  // namespace heddle::preload
