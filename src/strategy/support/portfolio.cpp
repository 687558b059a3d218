#include "strategy/support/portfolio.hpp"

#include <cmath>
#include <cstdio>
#include <utility>

#include "base/check.hpp"
#include "strategy/builtin.hpp"
#include "strategy/table.hpp"

namespace heddle::strategy {
namespace {

struct Listed {
  std::string_view spec;
  double share = 1;  // relative to the shares of the others
};

// The purpose of each member. Cheap and different ones come first. A learner needs time to learn, and a member that
// finds bugs which take many executions needs many. These have larger shares, which short explorations do not notice.
constexpr Listed kMembers[] = {
    {"random"},            // many switches everywhere: bugs that need much interleaving in a short stretch
    {"idb:bound=2"},       // the plain schedule first, then systematically all that differ in one or two places
    {"roundrobin"},        // the most switches of all, once
    {"sites"},             // one place held back: bugs of many similar operations
    {"surw"},              // one shared object at a time: its bugs, whatever else goes on
    {"pos"},               // the races, each in either order
    {"predict"},           // deadlocks that other orders of the same locks would show
    {"maple"},             // orders of a few accesses that no execution has shown
    {"sink", 8},           // long runs with many changes: bugs of protocols, which take several in a row
    {"fairpct:depth=3"},   // two switches at the right places: deadlocks, and violations on both sides
    {"tapct:depth=2"},     // one switch at the right place among the events that matter
    {"ql", 2},             // states not seen yet, and the values that lead to them
    {"ql_inbox", 8},       // for machines: what is under way between them, and no more
    {"rff"},               // which event reads from which: variations of what showed something new
    {"fairpct:depth=10"},  // for long executions, in which two or three change points are lost
    {"sites:changes=2"},   // place priorities that change during an execution
    {"urw"},               // every interleaving equally likely
    {"delay:delays=2"},    // depends less on which operation is switched to: good with many similar operations
    {"bonus", 4},          // paths that led to something new
    {"sink:every=30", 4},  // longer runs
    {"fest:signal=user"},  // what the program shows: variations of draws that led to something new
    {"sticky"},            // some switches, long runs between them
};

constexpr double kFade = 0.99;                  // the factor by which each later execution of a member reduces the
                                                // weight of its earlier ones
constexpr double kDoubt = 0.3;                  // how much a member gains by not being chosen
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

std::size_t Portfolio::next() {
  if (prediction_ != nullptr && prediction_->has_target() &&
      members_[prediction_at_].executions * 2 <= turns_ + kPredictionsFirst)
    return prediction_at_;
  for (std::size_t i = 0; i < members_.size(); ++i)
    if (members_[i].executions == 0 && !members_[i].finished) return i;
  const bool is_dealt = (turns_ & 1) == 0;
  const std::size_t best = is_dealt ? next_in_turn() : most_promising();
  if (is_dealt && best != members_.size()) members_[best].dealt += 1 / members_[best].share;
  return best;
}

// The member with the least of its share so far; the first of several.
std::size_t Portfolio::next_in_turn() const {
  std::size_t best = members_.size();
  for (std::size_t i = 0; i < members_.size(); ++i)
    if (!members_[i].finished && (best == members_.size() || members_[i].dealt < members_[best].dealt)) best = i;
  return best;
}

// The member with the highest bound; the first of several.
std::size_t Portfolio::most_promising() const {
  std::size_t best = members_.size();
  double highest = 0;
  const double doubt = std::log(static_cast<double>(turns_ + 1));
  for (std::size_t i = 0; i < members_.size(); ++i) {
    const Member& member = members_[i];
    if (member.finished) continue;
    const double bound = member.worth / member.weight + kDoubt * std::sqrt(doubt * member.share / member.weight);
    if (best != members_.size() && bound <= highest) continue;
    best = i;
    highest = bound;
  }
  return best;
}

bool Portfolio::begin(Random& random) {
  for (;;) {
    current_ = next();
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
  member.weight = member.weight * kFade + 1;
  member.worth = member.worth * kFade + (is_new || failed ? 1 : 0);
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
    members.push_back({std::string(listed.spec), std::move(parsed.strategy), listed.share});
  }
  return std::make_unique<Portfolio>(std::move(members));
}

}  // namespace heddle::strategy
