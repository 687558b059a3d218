#include "strategy/table.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>
#include <vector>

#include "strategy/builtin.hpp"

namespace heddle::strategy {
namespace {

using Values = std::span<const double>;

constexpr double kWord = std::numeric_limits<double>::infinity();
constexpr double kCountMax = 1e9;

constexpr Parameter kStay[] = {
    {"stay", "0.9", "probability of staying with the current operation", 0, 0.999, false},
};
constexpr Parameter kDepth[] = {
    {"depth", "3", "ordering constraints that a bug may need; it has depth-1 change points", 1, 1000, true},
};
constexpr Parameter kDepthAndPrefix[] = {
    kDepth[0],
    {"prefix", "auto", "choices by priority before the random ones; auto: twice the length learned", 1, kCountMax, true,
     "auto"},
};
constexpr Parameter kReduce[] = {
    {"reduce", "0", "1: of schedules that differ only in the order of independent steps, only one", 0, 1, true},
};
constexpr Parameter kChanges[] = {
    {"changes", "0", "sites whose priority falls below all others at a random point", 0, 1000, true},
};
constexpr Parameter kEvery[] = {
    {"every", "5", "steps of an operation after which its priority sinks, on average", 1, kCountMax, true},
};
constexpr Parameter kDelays[] = {
    {"delays", "3", "how many times an execution skips somebody", 0, 1000, true},
};
constexpr Parameter kPreemptionBound[] = {
    {"bound", "2", "the most preemptions; none: no bound", 0, kCountMax, true, "none"},
};
constexpr Parameter kDelayBound[] = {
    {"bound", "2", "the most delays; none: no bound", 0, kCountMax, true, "none"},
};
constexpr Parameter kDivide[] = {
    {"divide", "0", "1: divide large values before they become probabilities, as the authors' program", 0, 1, true},
};
constexpr Parameter kSignal[] = {
    {.name = "signal", .fallback = "reads_from", .summary = "what counts as new", .names = kSignalNames},
};
constexpr Parameter kSignalAndMutations[] = {
    kSignal[0],
    {"mutations", "5", "places in which the draws of an execution differ from those of its parent", 0, 64, true},
};

std::uint32_t whole(double value) { return static_cast<std::uint32_t>(value); }
std::uint32_t whole_or(double value, std::uint32_t word) { return value == kWord ? word : whole(value); }
Signal signal(double value) { return static_cast<Signal>(whole(value)); }

constexpr Entry kStrategies[] = {
    {"portfolio",
     "several strategies; more executions for those that show new things",
     {},
     [](Values) -> std::unique_ptr<Strategy> { return make_portfolio(); }},
    {"random", "at every point any enabled operation, uniformly", {}, [](Values) { return make_random(); }},
    {"sticky", "random, but mostly stays with the current operation", kStay,
     [](Values values) { return make_sticky(values[0]); }},
    {"pct", "random priorities with depth-1 random changes", kDepth,
     [](Values values) { return make_pct(whole(values[0])); }},
    {"fairpct", "pct for a prefix, then random, so that spinning programs end", kDepthAndPrefix,
     [](Values values) { return make_fair_pct(whole(values[0]), whole_or(values[1], 0)); }},
    {"delay", "non-preemptive round-robin with a few random delays", kDelays,
     [](Values values) { return make_delay(whole(values[0])); }},
    {"pos",
     "a random priority for every event; those that lose a race draw again",
     {},
     [](Values) { return make_partial_order_sampling(); }},
    {"sink", "priorities that sink now and then; those that lose a race draw again", kEvery,
     [](Values values) { return make_sinking_priorities(whole(values[0])); }},
    {"tapct", "pct whose changes fall only on events of shared resources", kDepth,
     [](Values values) { return make_trace_aware_pct(whole(values[0])); }},
    {"urw", "every interleaving about equally likely", {}, [](Values) { return make_uniform_walk(); }},
    {"surw",
     "the order at one shared resource, another in each execution, about uniform",
     {},
     [](Values) { return make_selective_walk(); }},
    {"sites", "a random priority for every place in the code", kChanges,
     [](Values values) { return make_site_priorities(whole(values[0])); }},
    {"ql", "learns to avoid states that it has seen often, as published", kDivide,
     [](Values values) { return make_q_learning(QlVariant::normal, values[0] != 0); }},
    {"ql_basic", "ql without its two optimisations", kDivide,
     [](Values values) { return make_q_learning(QlVariant::basic, values[0] != 0); }},
    {"ql_custom", "ql that sees only what the program shows with heddle::observe", kDivide,
     [](Values values) { return make_q_learning(QlVariant::custom, values[0] != 0); }},
    {"ql_inbox", "ql that sees only what the inboxes of state machines hold", kDivide,
     [](Values values) { return make_q_learning(QlVariant::inboxes, values[0] != 0); }},
    {"ql_ndn", "ql that draws values at random", kDivide,
     [](Values values) { return make_q_learning(QlVariant::without_values, values[0] != 0); }},
    {"avoid",
     "ql that sees more of the program, and keeps operations waiting in new states",
     {},
     [](Values) { return make_avoidance(Sees::all); }},
    {"avoid_inbox",
     "avoid that sees only what the inboxes of state machines hold",
     {},
     [](Values) { return make_avoidance(Sees::inboxes); }},
    {"bonus", "learns which ways lead to states seen seldom", {}, [](Values) { return make_bonus_learning(); }},
    {"greedy", "goes to the state with the fewest visits", {}, [](Values) { return make_greedy(); }},
    {"statedelay",
     "a few random switches, one more whenever no new states show",
     {},
     [](Values) { return make_state_delay_bounding(); }},
    {"rff", "demands that events read from others, or do not; keeps the demands that showed something new", kSignal,
     [](Values values) { return make_reads_from_feedback(signal(values[0])); }},
    {"fest", "pos that repeats what showed something new, but for a few of its draws", kSignalAndMutations,
     [](Values values) { return make_stream_mutation(signal(values[0]), whole(values[1])); }},
    {"maple",
     "goes for orders of a few accesses that no execution has shown",
     {},
     [](Values) -> std::unique_ptr<Strategy> { return make_maple(); }},
    {"predict",
     "goes for deadlocks and races that another order of the same steps would show",
     {},
     [](Values) -> std::unique_ptr<Strategy> { return make_prediction(); }},
    {"ipb", "every schedule, those with few preemptions first", kPreemptionBound,
     [](Values values) -> std::unique_ptr<Strategy> {
       return make_preemption_bounding(whole_or(values[0], BoundedSearch::kUnlimited));
     }},
    {"idb", "every schedule, those with few delays first", kDelayBound,
     [](Values values) -> std::unique_ptr<Strategy> {
       return make_delay_bounding(whole_or(values[0], BoundedSearch::kUnlimited));
     }},
    {"dfs", "every schedule, depth first", kReduce, [](Values values) { return make_depth_first(values[0] != 0); }},
    {"roundrobin", "the one schedule that switches at every point", {}, [](Values) { return make_round_robin(); }},
};

std::string quoted(std::string_view text) { return "\"" + std::string(text) + "\""; }

std::string_view name_of(std::string_view name) { return name; }
template <typename Named>
std::string_view name_of(const Named& named) {
  return named.name;
}

/// "a", "a and b", "a, b and c".
template <typename Named>
std::string names(std::span<const Named> all, std::string_view last = " and ") {
  std::string text;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (i > 0) text += i + 1 == all.size() ? last : ", ";
    text += name_of(all[i]);
  }
  return text;
}

std::string shortest(double value) {
  std::array<char, 32> digits;
  const auto written = std::to_chars(digits.data(), digits.data() + digits.size(), value, std::chars_format::fixed);
  return std::string(digits.data(), written.ptr);
}

std::optional<double> read_value(const Parameter& parameter, std::string_view text) {
  if (!parameter.word.empty() && text == parameter.word) return kWord;
  for (std::size_t i = 0; i < parameter.names.size(); ++i)
    if (text == parameter.names[i]) return static_cast<double>(i);
  if (!parameter.names.empty()) return std::nullopt;
  double value = 0;
  const char* end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, value, std::chars_format::fixed);
  const bool is_number = read.ec == std::errc() && read.ptr == end && std::isfinite(value);
  if (!is_number || value < parameter.min || value > parameter.max) return std::nullopt;
  if (parameter.is_whole && value != std::floor(value)) return std::nullopt;
  return value;
}

/// The values given for one strategy's parameters.
class Arguments {
 public:
  explicit Arguments(const Entry& entry) : entry_(entry) {
    for (const Parameter& parameter : entry.parameters) values_.push_back(*read_value(parameter, parameter.fallback));
    given_.resize(entry.parameters.size());
  }

  std::span<const double> values() const { return values_; }

  /// Takes `name=value`. Returns what is wrong with it, or an empty string.
  std::string take(std::string_view text) {
    const std::string who(entry_.name);
    const std::size_t equals = text.find('=');
    const std::string_view name = text.substr(0, equals);
    if (entry_.parameters.empty()) return who + " has no parameters, so " + quoted(text) + " means nothing to it";
    const std::size_t which = find(name);
    if (which == entry_.parameters.size())
      return who + " has no parameter " + quoted(name) + "; it has " + names(entry_.parameters);
    const Parameter& parameter = entry_.parameters[which];
    if (equals == std::string_view::npos)
      return who + ": " + quoted(name) + " needs a value, as in " + who + ":" + std::string(name) + "=" +
             std::string(parameter.fallback);
    if (given_[which]) return who + ": " + std::string(name) + " is given twice";
    const std::optional<double> value = read_value(parameter, text.substr(equals + 1));
    if (!value)
      return who + ": " + std::string(name) + " cannot be " + quoted(text.substr(equals + 1)) + "; it must be " +
             allowed(parameter);
    values_[which] = *value;
    given_[which] = true;
    return {};
  }

 private:
  std::size_t find(std::string_view name) const {
    std::size_t i = 0;
    while (i < entry_.parameters.size() && entry_.parameters[i].name != name) ++i;
    return i;
  }

  const Entry& entry_;
  std::vector<double> values_;
  std::vector<bool> given_;
};

const Entry* find_entry(std::string_view name) {
  for (const Entry& entry : kStrategies)
    if (entry.name == name) return &entry;
  return nullptr;
}

}  // namespace

std::string allowed(const Parameter& parameter) {
  if (!parameter.names.empty()) return names(parameter.names, " or ");
  std::string text = parameter.is_whole ? "a whole number from " : "a number from ";
  text += shortest(parameter.min) + " to " + shortest(parameter.max);
  if (!parameter.word.empty()) text += ", or " + std::string(parameter.word);
  return text;
}

std::span<const Entry> strategies() { return kStrategies; }

Parsed parse(std::string_view spec) {
  const std::size_t colon = spec.find(':');
  const std::string_view name = spec.substr(0, colon);
  const Entry* entry = find_entry(name);
  if (!entry) return {nullptr, "there is no strategy " + quoted(name) + "; there are " + names(strategies())};
  Arguments arguments(*entry);
  for (std::size_t at = colon; at != std::string_view::npos;) {
    const std::size_t comma = spec.find(',', at + 1);
    const std::string error = arguments.take(spec.substr(at + 1, comma - at - 1));
    if (!error.empty()) return {nullptr, error};
    at = comma;
  }
  return {entry->make(arguments.values()), {}};
}

}  // namespace heddle::strategy
