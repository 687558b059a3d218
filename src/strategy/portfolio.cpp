#include "strategy/portfolio.hpp"

#include <utility>

#include "base/check.hpp"
#include "strategy/builtin.hpp"
#include "strategy/table.hpp"

namespace heddle::strategy {
namespace {

// What each is there for; the order puts what is cheap and different first.
constexpr std::string_view kMembers[] = {
    "idb:bound=2",       // the plain schedule first, then systematically all that differ from it in one or two places
    "random",            // many switches everywhere: bugs that need much interleaving in a short stretch
    "fairpct:depth=2",   // one switch at the right place after a long run: most atomicity violations
    "sticky",            // some switches, long runs between them
    "fairpct:depth=3",   // two switches at the right places: deadlocks, and violations on both sides
    "delay:delays=2",    // cares less about who is switched to: good with many alike operations
    "fairpct:depth=5",   // deeper bugs, in short executions
    "roundrobin",        // the most switches of all, once
    "fairpct:depth=10",  // for long executions, in which two or three change points are lost
};

}  // namespace

Portfolio::Portfolio(std::vector<Member> members) : members_(std::move(members)), current_(members_.size() - 1) {
  HEDDLE_CHECK(!members_.empty(), "a portfolio without members");
  turn_ = members_[current_].strategy.get();
}

bool Portfolio::begin(Random& random) {
  for (std::size_t asked = 0; asked < members_.size(); ++asked) {
    current_ = current_ + 1 < members_.size() ? current_ + 1 : 0;
    Member& member = members_[current_];
    turn_ = member.strategy.get();
    if (member.finished) continue;
    if (turn_->begin(random)) return true;
    member.finished = true;
  }
  return false;
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
