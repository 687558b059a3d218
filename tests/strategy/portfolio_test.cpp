#include "strategy/support/portfolio.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
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

TEST(Portfolio, PrefersWhoShowsNewOrderingsAndForgetsWhoDid) {
  Member* a = new Member(10'000, true);
  Member* b = new Member(10'000, true);
  Portfolio portfolio = portfolio_of({a, b});
  Random random(1);
  const Verdict passed;
  std::uint64_t fresh = 1;
  const auto share_of_first = [&](bool first_is_good) {
    int turns = 0;
    for (int i = 0; i < 1'000; ++i) {
      EXPECT_TRUE(portfolio.begin(random));
      const bool is_first = &portfolio.current() == &portfolio.members()[0];
      turns += is_first;
      portfolio.end({passed, 0, {}, is_first == first_is_good ? ++fresh : 1});
    }
    return turns;
  };
  // Of a thousand, 250 are dealt to each; the other 500 go to whoever is good, but for those that it takes to see it.
  constexpr int kToSeeIt = 100;
  const int of_good = share_of_first(true);
  EXPECT_GT(of_good, 750 - kToSeeIt);
  EXPECT_LE(of_good, 751);
  const int of_bad = share_of_first(false);
  EXPECT_LT(of_bad, 250 + kToSeeIt);
  EXPECT_GE(of_bad, 249);
}

TEST(Portfolio, DealsInShares) {
  std::vector<Portfolio::Member> members;
  members.push_back({"three shares", std::make_unique<Member>(10'000, true), 3});
  members.push_back({"one share", std::make_unique<Member>(10'000, true), 1});
  Portfolio portfolio(std::move(members));
  Random random(1);
  const Verdict passed;
  for (std::uint64_t fresh = 2; fresh < 1'002; ++fresh) {  // only the second shows anything
    ASSERT_TRUE(portfolio.begin(random));
    const bool is_second = &portfolio.current() == &portfolio.members()[1];
    portfolio.end({passed, 0, {}, is_second ? fresh : 1});
  }
  EXPECT_GE(portfolio.members()[0].executions, 374u);  // three of four of the half that is dealt
  EXPECT_LE(portfolio.members()[0].executions, 374u + 100);
}

TEST(Portfolio, StarvesNobody) {
  const auto portfolio = strategy::make_portfolio();
  std::map<std::string, int> turns;
  constexpr int kExecutions = 900;
  explore(independent(3, 6), *portfolio, 1, kExecutions, [&](const Result&) {
    ++turns[portfolio->current().spec];
    return true;
  });
  EXPECT_EQ(turns.size(), portfolio->members().size());  // all are different, and all had turns
  double shares = 0;
  for (const auto& member : portfolio->members()) shares += member.share;
  // Every other execution but those that confirm predictions, of which there are none here, is dealt in shares.
  for (const auto& member : portfolio->members()) {
    const double dealt = std::floor(kExecutions / 2 * member.share / shares);
    EXPECT_TRUE(member.finished || turns[member.spec] >= dealt) << member.spec;
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
