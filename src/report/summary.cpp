#include "report/summary.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "base/printable.hpp"
#include "report/symbolizer.hpp"
#include "report/text.hpp"
#include "trace/frames.hpp"

namespace heddle::report {
namespace {

std::string verdict(const Summary& summary) {
  const ProgressNumbers& totals = summary.totals;
  const std::string effort = counted(totals.executions, "execution") + ", " + duration(totals.elapsed_seconds);
  if (summary.bugs != 0)
    return fmt::format("{} in {}", counted(summary.bugs, summary.bugs == 1 ? "bug" : "different bug"), effort);
  if (!summary.explored.empty() && summary.cut == 0 && summary.ended == 0)
    return fmt::format("{} was explored: none fails ({})", summary.explored, effort);
  return fmt::format("nothing found in {}", effort);
}

std::string tried(const Summary& summary) {
  const ProgressNumbers& totals = summary.totals;
  return fmt::format("{}, seed {} · {}{} · {} steps", summary.strategy, summary.seed,
                     totals.distinct_is_exact ? "" : "about ", counted(totals.distinct_schedules, "distinct schedule"),
                     in_short(totals.steps));
}

std::string line(const Paint& paint, std::string_view key, const std::string& text) {
  return "  " + paint.dim(padded(key, 8)) + text + "\n";
}

/// `0.02 %`, `less than 0.001 %`.
std::string percent(double chance) {
  const double hundredths = chance * 100;
  if (hundredths < 0.001) return "less than 0.001 %";
  return fmt::format("{:.{}f} %", hundredths, hundredths >= 10 ? 0 : hundredths >= 0.1 ? 1 : 3);
}

std::string chance_of_new(const Novelty& novelty) {
  if (novelty.chance == 0) return "at most " + percent(novelty.high);
  return fmt::format("about {} ({} to {})", percent(novelty.chance), novelty.low == 0 ? "0 %" : percent(novelty.low),
                     percent(novelty.high));
}

/// How much is likely left, in words that need no statistics.
std::string orderings_seen(const Novelty& novelty) {
  return fmt::format("{}{}; one more execution would show a new one with a chance of {}",
                     novelty.is_exact ? "" : "about ", counted(novelty.classes, "distinct ordering"),
                     chance_of_new(novelty));
}

std::string bound_on_bugs(std::uint64_t executions) {
  return fmt::format("a bug that remains shows in fewer than 1 of {} such executions (95 % confidence)",
                     with_commas(executions / 3));
}

std::string cut_executions(const Summary& summary) {
  return fmt::format("{} stopped after {} steps without a verdict{}{}",
                     counted(summary.cut - summary.unanswered, "execution"), with_commas(summary.steps_max),
                     summary.repeated.empty() ? "" : ", repeating " + summary.repeated,
                     summary.explored.empty() ? ": raise the bound if they only need more"
                                              : ", so this is no proof: raise the bound if they only need more");
}

/// The same, with every text made safe to show.
Summary shown(Summary summary) {
  for (std::string* text :
       {&summary.name, &summary.strategy, &summary.last_unanswered, &summary.repeated, &summary.instrumented,
        &summary.points, &summary.suppressed, &summary.explored, &summary.go_on})
    *text = printable(*text);
  return summary;
}

std::string unanswered_executions(const Summary& summary) {
  return fmt::format("{} could not go on: {}", counted(summary.unanswered, "execution"), summary.last_unanswered);
}

std::string ended_executions(const Summary& summary) {
  return fmt::format("{} had to be ended and {} nothing: {}", counted(summary.ended, "execution"),
                     summary.ended == 1 ? "says" : "say", summary.last_ended);
}

}  // namespace

std::string nothing_to_explore_text(const std::string& name) {
  return "heddle: " + printable(name) +
         ": it ran once and ended well; it never starts a second thread, so there is nothing to explore\n";
}

std::string lines_of(std::vector<Place> places) {
  Trace trace;
  trace.places = std::move(places);
  symbolize(trace);
  std::vector<std::string> lines;
  for (std::uint32_t i = 0; i < trace.places.size(); ++i) {
    const Frame frame = frame_that_matters(trace, {&i, 1});
    if (!frame || frame.line == nullptr || frame.line->line == 0) continue;
    if (std::string line = where(frame); std::find(lines.begin(), lines.end(), line) == lines.end())
      lines.push_back(std::move(line));
  }
  std::sort(lines.begin(), lines.end());
  if (lines.size() < 2) return lines.empty() ? "" : lines.front();
  const std::string last = lines.back();
  lines.pop_back();
  return fmt::format("{} and {}", fmt::join(lines, ", "), last);
}

double chance_of_bug_most(std::uint64_t executions) {
  constexpr std::uint64_t kFew = 30;  // with fewer, a bound says nothing
  return executions < kFew ? 1 : 3 / static_cast<double>(executions);
}

std::string summary_text(const Summary& given, bool color) {
  const Summary summary = shown(given);
  const Paint paint(color);
  std::string text = "heddle: ";
  if (!summary.name.empty()) text += summary.name + ": ";
  text += (summary.bugs != 0 ? paint.bad(verdict(summary)) : paint.good(verdict(summary))) + "\n" +
          line(paint, "tried", tried(summary));
  if (summary.explored.empty() && summary.totals.novelty.executions > 0) {
    text += line(paint, "seen", orderings_seen(summary.totals.novelty));
    if (summary.bugs == 0 && chance_of_bug_most(summary.totals.executions) < 1)
      text += line(paint, "", bound_on_bugs(summary.totals.executions));
  }
  if (summary.cut > summary.unanswered) text += line(paint, "cut", cut_executions(summary));
  if (summary.ended > 0) text += line(paint, "ended", ended_executions(summary));
  if (summary.unanswered > 0) text += line(paint, "outside", unanswered_executions(summary));
  if (!summary.instrumented.empty()) text += line(paint, "code", "instrumented: " + summary.instrumented);
  if (!summary.points.empty()) text += line(paint, "points", summary.points);
  if (!summary.suppressed.empty()) text += line(paint, "races", summary.suppressed);
  if (!summary.go_on.empty()) text += line(paint, "go on", summary.go_on);
  return text;
}

}  // namespace heddle::report
