#include "options/trace_header.hpp"

#include <utility>

#include "options/table.hpp"
#include "options/types.hpp"

namespace heddle::options {

void write_header(const Values& values, TraceHeader& header) {
  header.strategy = values.strategy;
  header.seed = values.seed;
  Values settled = values;
  settled.refines = false;  // an execution has a fixed set of points and choices
  settled.spares = false;
  decltype(header.options) written;
  for (const Option& option : table()) {
    if (option.header.empty() || !header.option(option.header).empty()) continue;
    if (std::string text = option.field.text(settled); !text.empty())
      written.emplace_back(option.header, std::move(text));
  }
  header.options.insert(header.options.begin(), written.begin(), written.end());
}

Wrong read_header(const TraceHeader& header, Values& values) {
  const Values usual;
  if (const std::string wrong = parse(header.strategy, values.strategy); !wrong.empty()) return {"strategy " + wrong};
  values.seed = header.seed;
  for (const Option& option : table()) {
    if (option.header.empty()) continue;
    const std::string_view said = header.option(option.header);
    const std::string wrong = option.field.set(values, said.empty() ? option.field.text(usual) : std::string(said));
    if (!wrong.empty()) return {std::string(option.header) + " " + wrong, std::string(option.header)};
  }
  return {};
}

}  // namespace heddle::options
