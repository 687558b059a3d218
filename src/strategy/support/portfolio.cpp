#include "strategy/support/portfolio.hpp"

#include <cstdio>
#include <utility>

#include "base/check.hpp"
#include "strategy/builtin.hpp"
#include "strategy/table.hpp"

namespace heddle::strategy {
namespace {

struct Listed {
  std::string_view spec;
  double share;
  double share_of_machines;
  double fades = 0;
};

// The purpose of each member. The shares were chosen by bench/planted_bench.cpp and bench/portfolio_bench.py, on the
// tuned half alone. The first that fade are for the beginning, the large shares for bugs that take long; the small ones
// are for the programs on which all others do badly.
constexpr Listed kMembers[] = {
    {"roundrobin", 16, 16, 8},         // the most switches of all, once
    {"sink", 10, 4},                   // long runs with many changes: bugs that take several in a row
    {"idb:bound=2", 4, 3, 8},          // the plain schedule, then all that differ in one place or two
    {"maple", 4, 6},                   // orders of a few accesses that no execution has shown
    {"predict", 2, 2, 8},              // deadlocks and races that other orders of the same steps would show
    {"pos", 3, 2},                     // the races, each in either order
    {"urw", 2, 4},                     // every interleaving equally likely
    {"surw", 2, 1},                    // one shared object at a time: its bugs, whatever else goes on
    {"rff", 2, 0.5},                   // which event reads from which: variations of what showed something new
    {"bonus", 1, 3},                   // paths that led to something new
    {"avoid", 1, 2},                   // states not seen yet, and the values that lead to them
    {"avoid_inbox", 0, 6},             // what is under way between machines, and no more
    {"random", 0.25, 1},               // many switches everywhere
    {"greedy", 0.25, 0.25},            // the state with the fewest visits
    {"sites", 0.25, 0.25},             // one place held back: bugs of many similar operations
    {"tapct:depth=2", 0.25, 0.25},     // one switch at the right place among the events that matter
    {"sink:every=30", 0.25, 0.25},     // longer runs
    {"fairpct:depth=10", 0.25, 0.25},  // for long executions, in which two or three change points are lost
    {"fest:signal=user", 0.25, 0.25},  // what the program shows: variations of draws that led to something new
    {"delay:delays=2", 0.25, 0.25},    // depends less on which operation is switched to
    {"fairpct:depth=3", 0.25, 0.25},   // two switches at the right places
    {"sites:changes=2", 0.25, 0.25},   // place priorities that change during an execution
};

constexpr double kFruitless = 8;                // times as much costs an execution that shows nothing new
constexpr std::uint64_t kPredictionsFirst = 8;  // after these, at most every other execution confirms a prediction

}  // namespace

Portfolio::Portfolio(std::vector<Member> members) : members_(std::move(members)), current_(0) {
  HEDDLE_CHECK(!members_.empty(), "a portfolio without members");
  turn_ = members_[current_].strategy.get();
  for (std::size_t i = 0; i < members_.size(); ++i)
    if (auto* const prediction = dynamic_cast<Prediction*>(members_[i].strategy.get())) {
      prediction_ = prediction;
      prediction_at_ = i;
    }
}

StepWatcher* Portfolio::watcher() {
  if (!looks_on()) return turn_->watcher();
  both_.first = turn_->watcher();
  both_.second = prediction_;
  return both_.first != nullptr ? &both_ : both_.second;
}

bool Portfolio::has_prediction() const {
  return prediction_ != nullptr && prediction_->has_target() &&
         members_[prediction_at_].executions * 2 <= turns_ + kPredictionsFirst;
}

double Portfolio::cost(const Member& member) const {
  const double growth = member.fades > 0 ? static_cast<double>(member.executions) / member.fades : 0;
  return (1 + growth) / (has_machines_ ? member.share_of_machines : member.share);  // infinite if the share is 0
}

// The member that has spent least in the middle of its next turn; the first of several.
std::size_t Portfolio::next_in_turn() const {
  std::size_t best = members_.size();
  double least = 0;
  for (std::size_t i = 0; i < members_.size(); ++i) {
    if (members_[i].finished) continue;
    const double then = members_[i].spent + cost(members_[i]) / 2;
    if (best != members_.size() && then >= least) continue;
    best = i;
    least = then;
  }
  return best;
}

bool Portfolio::begin(Random& random) {
  for (;;) {
    is_free_ = has_prediction();
    current_ = is_free_ ? prediction_at_ : next_in_turn();
    if (current_ == members_.size()) {
      current_ = 0;
      return false;
    }
    Member& member = members_[current_];
    turn_ = member.strategy.get();
    if (turn_->begin(random)) break;
    member.finished = true;
  }
  Member& member = members_[current_];
  if (looks_on()) prediction_->begin_looking_on();
  ++turns_;
  ++member.executions;
  return true;
}

void Portfolio::end(const ExecutionSummary& summary) {
  turn_->end(summary);
  if (looks_on()) prediction_->end_looking_on();
  Member& member = members_[current_];
  float& seen = classes_[classes_.find(summary.order_class)];
  const bool is_new = seen == 0 && summary.order_class != 0;
  seen = 1;
  classes_.forget();
  const bool failed = summary.verdict.is_failure();
  member.new_classes += is_new;
  member.failures += failed;
  if (!is_free_) member.spent += cost(member) * (is_new || failed ? 1 : kFruitless);
}

std::string Portfolio::explain() const {
  std::string text = "strategy              executions   new orderings   failures\n";
  for (const Member& member : members_) {
    char line[120];
    std::snprintf(line, sizeof line, "%-20s %11llu %15llu %10llu%s\n", member.spec.c_str(),
                  static_cast<unsigned long long>(member.executions),
                  static_cast<unsigned long long>(member.new_classes), static_cast<unsigned long long>(member.failures),
                  member.finished ? "   done" : "");
    text += line;
  }
  return text;
}

std::string Portfolio::explored() const {
  std::string text;
  for (const Member& member : members_) {
    const std::string part = member.strategy->explored();
    if (part.empty() || text.find(part) != std::string::npos) continue;
    text += (text.empty() ? "" : "; ") + part;
  }
  return text;
}

std::unique_ptr<Portfolio> make_portfolio() {
  std::vector<Portfolio::Member> members;
  for (const Listed& listed : kMembers) {
    Parsed parsed = parse(listed.spec);
    HEDDLE_CHECK(parsed.strategy != nullptr, "a member of the default portfolio is not in the table");
    members.push_back(
        {std::string(listed.spec), std::move(parsed.strategy), listed.share, listed.share_of_machines, listed.fades});
  }
  return std::make_unique<Portfolio>(std::move(members));
}

}  // namespace heddle::strategy
