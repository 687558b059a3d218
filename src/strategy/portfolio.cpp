#include "strategy/portfolio.hpp"

#include <cmath>
#include <cstdio>
#include <utility>

#include "base/check.hpp"
#include "strategy/builtin.hpp"
#include "strategy/table.hpp"

namespace heddle::strategy {
namespace {

// What each is there for; the order puts what is cheap and different first.
constexpr std::string_view kMembers[] = {
    "random",            // many switches everywhere: bugs that need much interleaving in a short stretch
    "idb:bound=2",       // the plain schedule first, then systematically all that differ from it in one or two places
    "roundrobin",        // the most switches of all, once
    "sites",             // one place held back: bugs of many alike operations
    "surw",              // one shared object at a time: bugs of it, whatever else goes on
    "pos",               // the races, each either way
    "predict",           // deadlocks that other orders of the same locks would show
    "maple",             // orders of a few accesses that no execution has shown
    "fairpct:depth=3",   // two switches at the right places: deadlocks, and violations on both sides
    "tapct:depth=2",     // one switch at the right place among the events that matter
    "ql",                // states that were not seen yet, and values that lead to them
    "rff",               // who reads from whom: what showed something new, varied
    "fairpct:depth=10",  // for long executions, in which two or three change points are lost
    "sites:changes=2",   // places that change their minds
    "urw",               // every interleaving alike
    "delay:delays=2",    // cares less about who is switched to: good with many alike operations
    "bonus",             // ways that led to something new
    "fest:signal=user",  // what the program shows: draws that led to something new, varied
    "sticky",            // some switches, long runs between them
};

constexpr double kFade = 0.99;  // of what an execution counts, with each later one of the same member
constexpr double kDoubt = 0.3;  // how much a member gains by not having been asked
constexpr std::uint64_t kRoundsMax = 4;
constexpr std::uint64_t kPredictionsFirst = 8;  // then every other execution at most confirms one

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

// The one that has waited too long, else the one with the highest bound; the first of those that are equal.
std::size_t Portfolio::next() const {
  if (prediction_ != nullptr && prediction_->has_target() &&
      members_[prediction_at_].executions * 2 <= turns_ + kPredictionsFirst)
    return prediction_at_;
  std::size_t best = members_.size();
  double highest = 0;
  const double doubt = std::log(static_cast<double>(turns_ + 1));
  for (std::size_t i = 0; i < members_.size(); ++i) {
    const Member& member = members_[i];
    if (member.finished) continue;
    if (member.executions == 0 || turns_ - member.last_turn > kRoundsMax * members_.size()) return i;
    const double bound = member.worth / member.weight + kDoubt * std::sqrt(doubt / member.weight);
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
  member.last_turn = ++turns_;
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
  for (std::string_view spec : kMembers) {
    Parsed parsed = parse(spec);
    HEDDLE_CHECK(parsed.strategy != nullptr, "a member of the default portfolio is not in the table");
    members.push_back({std::string(spec), std::move(parsed.strategy)});
  }
  return std::make_unique<Portfolio>(std::move(members));
}

}  // namespace heddle::strategy
