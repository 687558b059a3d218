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

std::string write_json(const RunSummary& summary, const preload::Board& board, const std::string& path) {
  Json json = {{"program", summary.program},
               {"strategy", summary.strategy},
               {"seed", summary.seed},
               {"executions", board.counts.executions.load()},
               {"steps", board.counts.steps.load()},
               {"distinct_schedules", board.counts.distinct_schedules.load()},
               {"orderings", board.counts.novelty.classes},
               {"chance_of_new_ordering", board.counts.novelty.chance},
               {"chance_of_new_ordering_at_least", board.counts.novelty.low},
               {"chance_of_new_ordering_at_most", board.counts.novelty.high},
               {"cut", board.counts.cut.load()},
               {"seconds", static_cast<double>(board.counts.elapsed_ns) * 1e-9},
               {"complete", board.finished}};
  // Nothing to say where a bug was found, or everything was explored.
  if (summary.verdicts.empty() && !board.finished)
    json["chance_of_bug_at_most"] = report::chance_of_bug_most(board.counts.executions.load());
  json["bugs"] = Json::array();
  for (std::size_t i = 0; i < summary.verdicts.size(); ++i)
    json["bugs"].push_back({{"verdict", summary.verdicts[i]}, {"trace", summary.traces[i]}});
  json["isolation"] = board.chosen_text;
  json["suppressed_races"] = summary.suppressed_races;
  json["instrumented"] = Json::array();
  for (const report::InstrumentedCode& code : summary.instrumented) json["instrumented"].push_back(json_of(code));
  std::ofstream file(path);
  file << json.dump(2, ' ', false, Json::error_handler_t::replace) << "\n";
  return file.flush() ? std::string() : "cannot write " + path;
}

}  // namespace heddle::cli
