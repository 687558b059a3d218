#include "strategy/support/portfolio.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <functional>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "strategy/builtin.hpp"
#include "support/fake_view.hpp"
#include "support/interpreter.hpp"
#include "support/programs.hpp"

namespace heddle::test {
namespace {

using strategy::Portfolio;

/// Lasts for some executions, and counts what it is asked.
class Member final : public strategy::Strategy {
 public:
  Member(int executions, bool fair) : left_(executions), fair_(fair) {}
  bool begin(Random&) override { return left_-- > 0; }
  OperationId choose_operation(const strategy::ScheduleView& view) override { return view.enabled.front(); }
  std::uint32_t choose_value(const strategy::ScheduleView&, std::uint32_t) override { return 0; }
  void end(const strategy::ExecutionSummary&) override { ++ended; }
  bool is_fair() const override { return fair_; }
  std::string explored() const override { return left_ < 0 ? "its part" : ""; }

  int ended = 0;

 private:
  int left_;
  bool fair_;
};

Portfolio portfolio_of(std::vector<Member*> members) {
  std::vector<Portfolio::Member> all;
  for (Member* member : members) all.push_back({"member", std::unique_ptr<strategy::Strategy>(member)});
  return Portfolio(std::move(all));
}

TEST(Portfolio, TakesTurnsUntilAllAreDone) {
  Member* a = new Member(2, true);
  Member* b = new Member(5, false);
  Member* c = new Member(0, true);
  Portfolio portfolio = portfolio_of({a, b, c});
  Random random(1);
  const Verdict passed;
  std::string turns;
  while (portfolio.begin(random)) {
    turns += &portfolio.current() == &portfolio.members()[0] ? 'a' : 'b';
    EXPECT_EQ(portfolio.is_fair(), turns.back() == 'a');  // it answers for the member whose turn it is
    portfolio.end({passed, 0, {}});
  }
  EXPECT_EQ(turns, "ababbbb");
  EXPECT_EQ(a->ended, 2);
  EXPECT_EQ(b->ended, 5);
  EXPECT_EQ(c->ended, 0);
  EXPECT_EQ(portfolio.explored(), "its part");
  EXPECT_FALSE(portfolio.begin(random));  // and stays done
}

/// That member, and one with the share 1 that does not fade.
Portfolio pair_of(Portfolio::Member first) {
  std::vector<Portfolio::Member> members;
  members.push_back(std::move(first));
  members.push_back({"member", std::make_unique<Member>(10'000, true)});
  return Portfolio(std::move(members));
}

/// Of so many executions, those of the first member. `is_new` says whether an execution of the first or of the second
/// shows something new.
std::uint64_t turns_of_first(Portfolio& portfolio, int executions, const std::function<bool(bool is_first)>& is_new) {
  Random random(1);
  const Verdict passed;
  static std::uint64_t fresh = 1;
  const std::uint64_t before = portfolio.members()[0].executions;
  for (int i = 0; i < executions; ++i) {
    EXPECT_TRUE(portfolio.begin(random));
    const bool is_first = &portfolio.current() == &portfolio.members()[0];
    portfolio.end({passed, 0, {}, is_new(is_first) ? ++fresh : 1});
  }
  return portfolio.members()[0].executions - before;
}

TEST(Portfolio, PrefersWhoShowsNewOrderingsAndForgetsWhoDid) {
  Portfolio portfolio = pair_of({"member", std::make_unique<Member>(10'000, true)});
  // What shows nothing costs eight times as much: of 900, eight of nine go to whoever is good. What both paid while
  // they were not judged yet, and the turn that each is in, are a few executions more or less.
  constexpr double kFew = 12;
  EXPECT_NEAR(static_cast<double>(turns_of_first(portfolio, 900, [](bool is_first) { return is_first; })), 800, kFew);
  EXPECT_NEAR(static_cast<double>(turns_of_first(portfolio, 900, [](bool is_first) { return !is_first; })), 100, kFew);
}

TEST(Portfolio, DealsInShares) {
  Portfolio portfolio = pair_of({"three shares", std::make_unique<Member>(10'000, true), 3});
  EXPECT_NEAR(static_cast<double>(turns_of_first(portfolio, 1'000, [](bool) { return true; })), 750, 1);
}

TEST(Portfolio, DealsInTheSharesOfMachinesOnceOneIsSeen) {
  Portfolio portfolio = pair_of({"for machines", std::make_unique<Member>(10'000, true), 0, 1});
  EXPECT_EQ(turns_of_first(portfolio, 100, [](bool) { return true; }), 0u);
  const OperationId enabled[] = {OperationId{0}, OperationId{1}};
  strategy::Candidate candidates[2];
  candidates[0].next.kind = model::EventKind::send;
  portfolio.choose_operation({enabled, enabled[0], false, 0, candidates, nullptr, 0});
  EXPECT_EQ(turns_of_first(portfolio, 90, [](bool) { return true; }), 90u);  // the other one had a hundred before
}

TEST(Portfolio, LetsASweepFade) {
  Portfolio portfolio = pair_of({"sweep", std::make_unique<Member>(10'000, true), 1, 1, 1});
  // Its n-th execution costs 1 + n, so n of them n + n(n+1)/2, as much as the 1000 - n of the other one: n = 42.3.
  EXPECT_NEAR(static_cast<double>(turns_of_first(portfolio, 1'000, [](bool) { return true; })), 42.3, 1);
}

TEST(Portfolio, StarvesNobody) {
  const auto portfolio = strategy::make_portfolio();
  std::map<std::string, int> turns;
  constexpr int kExecutions = 4'000;
  explore(independent(3, 6), *portfolio, 1, kExecutions, [&](const Result&) {
    ++turns[portfolio->current().spec];
    return true;
  });
  double shares = 0;
  std::size_t without_machines = 0;
  for (const auto& member : portfolio->members()) {
    shares += member.share;
    without_machines += member.share > 0;
  }
  EXPECT_EQ(turns.size(), without_machines);  // all are different, and all had turns
  constexpr double kFruitless = 8;
  for (const auto& member : portfolio->members()) {
    const double least = std::floor(kExecutions / kFruitless * member.share / shares);
    EXPECT_TRUE(member.finished || member.fades > 0 || turns[member.spec] >= least) << member.spec;
  }
}

TEST(Portfolio, FindsTheBugsOfTheStudy) {
  for (const Program& program : {figure_1(), figure_2(), figure_2(4)}) {
    const auto portfolio = strategy::make_portfolio();
    bool found = false;
    explore(program, *portfolio, 1, 200, [&](const Result& result) {
      found = result.verdict.is_failure();
      return !found;
    });
    EXPECT_TRUE(found);
  }
}

TEST(Portfolio, ItsPageListsItsMembersInTheirOrder) {
  std::vector<std::string> on_page;
  std::ifstream page(HEDDLE_TESTS_DIR "/../docs/strategies/portfolio.md");
  for (std::string line; std::getline(page, line);)
    if (line.starts_with("| `")) on_page.push_back(line.substr(3, line.find('`', 3) - 3));
  std::vector<std::string> members;
  std::istringstream table(strategy::make_portfolio()->explain());
  std::string line;
  std::getline(table, line);  // the titles
  while (std::getline(table, line)) members.push_back(line.substr(0, line.find(' ')));
  EXPECT_EQ(on_page, members);
}

}  // namespace
}  // namespace heddle::test
