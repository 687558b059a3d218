#include "cli/trace_json.hpp"

#include <nlohmann/json.hpp>
#include <utility>

#include "trace/file.hpp"
#include "trace/frames.hpp"
#include "trace/words.hpp"

namespace heddle::cli {
namespace {

using Json = nlohmann::ordered_json;

Json operation_or_null(OperationId id) { return id == kNoOperation ? Json() : Json(operation_name(id)); }

class TraceJson {
 public:
  explicit TraceJson(const Trace& trace) : trace_(trace), words_(trace) {}

  Json json() const {
    Json all = {{"version", kTraceVersion}, {"program", header()}};
    all["verdict"] = {{"kind", name(trace_.verdict.kind)},
                      {"operation", operation_or_null(trace_.verdict.operation)},
                      {"message", trace_.verdict.text()}};
    all["accesses"] = Json::array();
    for (const TraceAccess& access : trace_.accesses) all["accesses"].push_back(access_json(access));
    all["operations"] = Json::array();
    for (std::uint32_t i = 0; i < trace_.operations.size(); ++i) all["operations"].push_back(operation(i));
    all["resources"] = Json::array();
    for (std::uint32_t i = 0; i < trace_.resources.size(); ++i) all["resources"].push_back(resource(i));
    all["steps"] = Json::array();
    for (const TraceStep& step : trace_.steps) all["steps"].push_back(step_json(step));
    return all;
  }

 private:
  Json header() const {
    const TraceHeader& header = trace_.header;
    Json options = Json::object();
    for (const auto& [key, value] : header.options) options[key] = value;
    return {{"path", header.program},      {"arguments", header.arguments},     {"directory", header.directory},
            {"build_id", header.build_id}, {"exploration", header.exploration}, {"strategy", header.strategy},
            {"seed", header.seed},         {"execution", header.execution},     {"options", std::move(options)}};
  }

  Json access_json(const TraceAccess& access) const {
    Json json = {{"operation", operation_name(access.operation)},
                 {"kind", row(access.what).name},
                 {"bytes", access.bytes},
                 {"stack", stack(access.stack)}};
    if (!access.locks) return json;
    json["locks"] = Json::array();
    for (const TraceLock& held : *access.locks) {
      Json lock = {{"resource", words_.resource(held.lock)}};
      if (held.step > 0) lock["taken"] = stack(trace_.steps[held.step - 1].stack);
      json["locks"].push_back(std::move(lock));
    }
    return json;
  }

  Json operation(std::uint32_t i) const {
    const TraceOperation& operation = trace_.operations[i];
    return {{"id", operation_name(OperationId{i})},
            {"name", operation.name},
            {"parent", operation_or_null(operation.parent)},
            {"ended", operation.ended},
            {"next", words_.event(operation.next.kind, operation.next.resource)},
            {"stack", stack(operation.stack)}};
  }

  Json resource(std::uint32_t i) const {
    const TraceResource& resource = trace_.resources[i];
    return {{"id", words_.resource(ResourceId{i})},
            {"kind", name(resource.kind)},
            {"name", resource.name},
            {"holder", operation_or_null(resource.holder)}};
  }

  Json step_json(const TraceStep& step) const {
    Json json = {{"operation", operation_name(step.operation)}, {"event", name(step.kind)}};
    if (step.resource != kNoResource) json["resource"] = words_.resource(step.resource);
    json["choice"] = step.is_choice;
    json["preempts"] = step.preempts;
    if (step.bound > 0) {
      json["value"] = step.value;
      json["bound"] = step.bound;
    }
    json["stack"] = stack(step.stack);
    return json;
  }

  Json stack(const std::vector<std::uint32_t>& places) const {
    Json all = Json::array();
    for (const Frame& frame : frames(trace_, places)) {
      Json entry = {{"module", frame.place->module}, {"offset", frame.place->offset}};
      if (frame.line && !frame.line->function.empty()) entry["function"] = frame.line->function;
      if (frame.line && !frame.line->file.empty()) entry["file"] = frame.line->file;
      if (frame.line && frame.line->line > 0) entry["line"] = frame.line->line;
      all.push_back(std::move(entry));
    }
    return all;
  }

  const Trace& trace_;
  const Words words_;
};

}  // namespace

std::string to_json(const Trace& trace) {
  // Names in a program need not be UTF-8; JSON must be. In ASCII, so that nothing in it can act on a terminal.
  return TraceJson(trace).json().dump(2, ' ', true, Json::error_handler_t::replace) + "\n";
}

}  // namespace heddle::cli
