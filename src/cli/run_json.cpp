#include "cli/run_json.hpp"

#include <nlohmann/json.hpp>
#include <utility>

#include "base/new_file.hpp"
#include "cli/command.hpp"
#include "report/summary.hpp"

namespace heddle::cli {
namespace {

using Json = nlohmann::ordered_json;

Json json_of(const report::InstrumentedCode& code) {
  Json json = {{"module", code.module}};
  if (!code.is_known) return json;  // nothing can be said without symbols
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
               {"ended", channel.counts.ended.load()},
               {"seconds", static_cast<double>(channel.counts.elapsed_ns) * 1e-9},
               {"complete", channel.finished}};
  // Left out if a bug was found, or everything was explored.
  if (summary.verdicts.empty() && !channel.finished)
    json["chance_of_bug_at_most"] = report::chance_of_bug_most(channel.counts.executions.load());
  json["bugs"] = Json::array();
  for (std::size_t i = 0; i < summary.verdicts.size(); ++i)
    json["bugs"].push_back({{"verdict", summary.verdicts[i]}, {"trace", summary.traces[i]}});
  json["isolation"] = channel.chosen_text;
  json["suppressed_races"] = summary.suppressed_races;
  json["instrumented"] = Json::array();
  for (const report::InstrumentedCode& code : summary.instrumented) json["instrumented"].push_back(json_of(code));
  const std::string text = json.dump(2, ' ', true, Json::error_handler_t::replace) + "\n";
  const int error = write_output(path, text);
  return error == 0 ? std::string() : "cannot write " + path + why_not_written(error);
}

}  // namespace heddle::cli
