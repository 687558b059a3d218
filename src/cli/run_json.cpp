#include "cli/run_json.hpp"

#include <fstream>
#include <nlohmann/json.hpp>
#include <utility>

#include "report/summary.hpp"

namespace heddle::cli {
namespace {

using Json = nlohmann::ordered_json;

Json json_of(const report::InstrumentedCode& code) {
  Json json = {{"module", code.module}};
  if (!code.is_known) return json;  // without symbols there is nothing to say
  json["functions"] = code.functions;
  json["instrumented_functions"] = code.instrumented;
  json["bytes"] = code.bytes;
  json["instrumented_bytes"] = code.instrumented_bytes;
  return json;
}

}  // namespace

std::string write_json(const RunSummary& summary, const preload::Channel& channel, const std::string& path) {
  Json json = {{"program", summary.program},
               {"strategy", summary.strategy},
               {"seed", summary.seed},
               {"executions", channel.counts.executions.load()},
               {"steps", channel.counts.steps.load()},
               {"distinct_schedules", channel.counts.distinct_schedules.load()},
               {"orderings", channel.counts.novelty.classes},
               {"chance_of_new_ordering", channel.counts.novelty.chance},
               {"chance_of_new_ordering_at_least", channel.counts.novelty.low},
               {"chance_of_new_ordering_at_most", channel.counts.novelty.high},
               {"cut", channel.counts.cut.load()},
               {"seconds", static_cast<double>(channel.counts.elapsed_ns) * 1e-9},
               {"complete", channel.finished}};
  // Nothing to say where a bug was found, or everything was explored.
  if (summary.verdicts.empty() && !channel.finished)
    json["chance_of_bug_at_most"] = report::chance_of_bug_most(channel.counts.executions.load());
  json["bugs"] = Json::array();
  for (std::size_t i = 0; i < summary.verdicts.size(); ++i)
    json["bugs"].push_back({{"verdict", summary.verdicts[i]}, {"trace", summary.traces[i]}});
  json["isolation"] = channel.chosen_text;
  json["suppressed_races"] = summary.suppressed_races;
  json["instrumented"] = Json::array();
  for (const report::InstrumentedCode& code : summary.instrumented) json["instrumented"].push_back(json_of(code));
  std::ofstream file(path);
  file << json.dump(2, ' ', false, Json::error_handler_t::replace) << "\n";
  return file.flush() ? std::string() : "cannot write " + path;
}

}  // namespace heddle::cli
