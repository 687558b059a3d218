#include "report/printable_trace.hpp"

#include <algorithm>

#include "base/printable.hpp"

namespace heddle::report {
namespace {

void clean(std::string& text) { text = printable(text); }

void clean(TraceHeader& header) {
  for (std::string* text :
       {&header.program, &header.directory, &header.build_id, &header.exploration, &header.strategy})
    clean(*text);
  for (std::string& argument : header.arguments) clean(argument);
  for (auto& [key, value] : header.options) {
    clean(key);
    clean(value);
  }
}

void clean(Place& place) {
  clean(place.module);
  for (Place::Line& line : place.lines) {
    clean(line.function);
    clean(line.file);
  }
}

/// The words of the message that name something move as what comes before them grows.
void clean(Verdict& verdict) {
  const std::string_view text = verdict.text();
  Mention& mention = verdict.mention;
  const std::size_t begin = std::min<std::size_t>(mention.at, text.size());
  const std::size_t end = std::min<std::size_t>(begin + mention.length, text.size());
  const std::string before = printable(text.substr(0, begin));
  const std::string words = printable(text.substr(begin, end - begin));
  const std::string after = printable(text.substr(end));
  mention.at = static_cast<std::uint16_t>(before.size());
  mention.length = static_cast<std::uint16_t>(words.size());
  verdict.set_text(before + words + after);
}

}  // namespace

Trace printable_trace(const Trace& trace) {
  Trace shown = trace;
  clean(shown.header);
  clean(shown.verdict);
  for (Place& place : shown.places) clean(place);
  for (TraceOperation& operation : shown.operations) clean(operation.name);
  for (TraceResource& resource : shown.resources) clean(resource.name);
  for (TraceNote& note : shown.notes) {
    clean(note.what);
    clean(note.text);
  }
  return shown;
}

}  // namespace heddle::report
