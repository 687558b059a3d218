#include "report/progress.hpp"

#include <algorithm>
#include <vector>

#include "base/raw.hpp"
#include "report/text.hpp"

namespace heddle::report {
namespace {

constexpr std::uint64_t kPause_ns = 100'000'000;

/// Seconds until the first of the bounds is reached, at the current rate.
std::optional<double> seconds_left(const ProgressNumbers& numbers, double rate) {
  std::optional<double> left;
  if (numbers.seconds_max) left = std::max(0.0, *numbers.seconds_max - numbers.elapsed_seconds);
  if (numbers.executions_max && rate > 0) {
    const std::uint64_t missing = std::max(*numbers.executions_max, numbers.executions) - numbers.executions;
    const double by_executions = static_cast<double>(missing) / rate;
    left = left ? std::min(*left, by_executions) : by_executions;
  }
  return left;
}

/// To three digits: the rest is noise.
std::uint64_t rounded(double rate) {
  auto whole = static_cast<std::uint64_t>(rate);
  std::uint64_t unit = 1;
  while (whole / unit >= 1000) unit *= 10;
  return whole / unit * unit;
}

}  // namespace

std::string progress_line(const ProgressNumbers& numbers, std::size_t width) {
  const double rate =
      numbers.elapsed_seconds > 0 ? static_cast<double>(numbers.executions) / numbers.elapsed_seconds : 0;
  std::vector<std::string> parts = {counted(numbers.executions, "execution"), with_commas(rounded(rate)) + "/s"};
  parts.push_back((numbers.distinct_is_exact ? "" : "about ") +
                  counted(numbers.distinct_schedules, "distinct schedule"));
  if (const auto left = seconds_left(numbers, rate)) parts.push_back(duration(*left) + " left");
  parts.push_back(in_short(numbers.steps) + " steps");
  std::string line;
  for (const std::string& part : parts) {
    const std::string longer = line + (line.empty() ? "  " : " · ") + part;
    if (columns(longer) > width) break;
    line = longer;
  }
  return line;
}

Progress::Progress(int descriptor)
    : descriptor_(descriptor), terminal_(terminal_of(descriptor)), next_ns_(raw::monotonic_ns() + kPause_ns) {}

void Progress::update(const ProgressNumbers& numbers) {
  if (!terminal_.is_live) return;
  const std::uint64_t now = raw::monotonic_ns();
  if (now < next_ns_) return;
  next_ns_ = now + kPause_ns;
  drawn_ = true;
  const std::string text = "\r\x1b[2K" + progress_line(numbers, static_cast<std::size_t>(terminal_.width) - 1);
  raw::write_all(descriptor_, text.data(), text.size());
}

void Progress::clear() {
  constexpr std::string_view kErase = "\r\x1b[2K";
  if (drawn_) raw::write_all(descriptor_, kErase.data(), kErase.size());
  drawn_ = false;
}

}  // namespace heddle::report
