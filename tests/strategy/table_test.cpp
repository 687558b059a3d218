#include "strategy/table.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "support/interpreter.hpp"
#include "support/programs.hpp"

namespace heddle::test {
namespace {

using strategy::parse;
using testing::HasSubstr;

TEST(Table, EveryEntryCanBeMade) {
  std::set<std::string_view> names;
  for (const strategy::Entry& entry : strategy::strategies()) {
    EXPECT_TRUE(names.insert(entry.name).second) << entry.name << " is there twice";
    EXPECT_FALSE(entry.summary.empty());
    const auto parsed = parse(entry.name);
    EXPECT_NE(parsed.strategy, nullptr) << entry.name;
    EXPECT_EQ(parsed.error, "");
    for (const strategy::Parameter& parameter : entry.parameters) {  // the defaults can be said
      const std::string spec =
          std::string(entry.name) + ":" + std::string(parameter.name) + "=" + std::string(parameter.fallback);
      EXPECT_NE(parse(spec).strategy, nullptr) << spec;
      EXPECT_FALSE(parameter.summary.empty());
    }
  }
  EXPECT_EQ(names.size(), 30u);
}

TEST(Table, ParametersAreObeyed) {
  const auto count = [](const char* spec) {
    const auto parsed = parse(spec);
    EXPECT_EQ(parsed.error, "");
    return explore(figure_1(), *parsed.strategy, 1, 1000, [](const Result&) { return true; });
  };
  EXPECT_EQ(count("ipb:bound=0"), 6u);
  EXPECT_EQ(count("ipb:bound=1"), 11u);
  EXPECT_EQ(count("ipb:bound=none"), 11u);
  EXPECT_EQ(count("idb:bound=0"), 1u);
  EXPECT_EQ(count("idb:bound=1"), 4u);
  EXPECT_EQ(count("idb:bound=none"), 11u);
  EXPECT_EQ(count("dfs"), 11u);
  EXPECT_EQ(count("roundrobin"), 1u);
  EXPECT_EQ(count("random"), 1000u);
}

TEST(Table, TakesSeveralParameters) {
  EXPECT_EQ(parse("fairpct:depth=2,prefix=1000").error, "");
  EXPECT_EQ(parse("fairpct:prefix=auto,depth=2").error, "");
  EXPECT_EQ(parse("sticky:stay=0.5").error, "");
  EXPECT_EQ(parse("fest:mutations=2,signal=states").error, "");
}

struct Wrong {
  const char* spec;
  const char* says;
};

TEST(Table, ErrorsSayWhatIsWrongAndWhatIsAllowed) {
  const Wrong all[] = {
      {"pcd",
       "there is no strategy \"pcd\"; there are portfolio, random, sticky, pct, fairpct, delay, pos, sink, tapct, urw, "
       "surw, "
       "sites, ql, ql_basic, ql_custom, ql_inbox, ql_ndn, avoid, avoid_inbox, bonus, greedy, statedelay, rff, fest, "
       "maple, predict, "
       "ipb, "
       "idb, "
       "dfs and roundrobin"},
      {"", "there is no strategy \"\"; there are portfolio, "},
      {"replay", "there is no strategy \"replay\""},
      {"pct:dept=3", "pct has no parameter \"dept\"; it has depth"},
      {"fairpct:stay=1", "fairpct has no parameter \"stay\"; it has depth and prefix"},
      {"random:depth=3", "random has no parameters, so \"depth=3\" means nothing to it"},
      {"random:", "random has no parameters"},
      {"pct:depth", "pct: \"depth\" needs a value, as in pct:depth=3"},
      {"pct:depth=", "pct: depth cannot be \"\"; it must be a whole number from 1 to 1000"},
      {"pct:depth=x", "pct: depth cannot be \"x\"; it must be a whole number from 1 to 1000"},
      {"pct:depth=0", "pct: depth cannot be \"0\""},
      {"pct:depth=-1", "pct: depth cannot be \"-1\""},
      {"pct:depth=2.5", "pct: depth cannot be \"2.5\""},
      {"pct:depth=3 ", "pct: depth cannot be \"3 \""},
      {"pct:depth=nan", "pct: depth cannot be \"nan\""},
      {"pct:depth=inf", "pct: depth cannot be \"inf\""},
      {"pct:depth=none", "pct: depth cannot be \"none\""},
      {"pct:depth=2,depth=3", "pct: depth is given twice"},
      {"pct:depth=2,", "pct has no parameter \"\"; it has depth"},
      {"sticky:stay=1", "sticky: stay cannot be \"1\"; it must be a number from 0 to 0.999"},
      {"rff:signal=2", "rff: signal cannot be \"2\"; it must be reads_from, order, states, locks or user"},
      {"rff:signal=", "rff: signal cannot be \"\"; it must be reads_from, "},
      {"fest:signal", "fest: \"signal\" needs a value, as in fest:signal=reads_from"},
      {"ipb:bound=many", "ipb: bound cannot be \"many\"; it must be a whole number from 0 to 1000000000, or none"},
  };
  for (const Wrong& wrong : all) {
    const auto parsed = parse(wrong.spec);
    EXPECT_EQ(parsed.strategy, nullptr) << wrong.spec;
    EXPECT_THAT(parsed.error, HasSubstr(wrong.says)) << wrong.spec;
  }
}

}  // namespace
}  // namespace heddle::test
