// The user's rules for which executions count as failed although they ended well.
//
// They look at the output of the execution and its number of steps. An output that was judged before is not judged
// again.
#pragma once

#include <cstdint>
#include <regex>
#include <string>
#include <unordered_map>
#include <vector>

#include "engine/result_filter.hpp"
#include "preload/channel.hpp"
#include "preload/streams.hpp"

namespace heddle::preload {

class OutputRules final : public engine::ResultFilter {
 public:
  OutputRules(const Streams& streams, const Channel& channel);

  engine::ExecutionResult filter(const engine::ExecutionResult& result, const engine::Finished& execution) override;

  /// With --same-output: has an execution written anything different from the first?
  bool saw_another_output() const { return saw_another_output_; }
  const std::vector<Choice>& first_schedule() const { return first_schedule_; }

 private:
  std::string objection(const engine::ExecutionResult& result);
  std::string objection_to_output(const std::string& text);
  bool oracle_accepts() const;

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
