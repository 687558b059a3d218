// Machines that serve for ever.
#include <gtest/gtest.h>

#include "heddle/actor.hpp"
#include "heddle/heddle.hpp"

namespace {

struct Tick {};

class Clock : public heddle::Machine {
 public:
  struct Ticking;
  static void declare(heddle::Declaration<Clock>& is) {
    is.state<Ticking>().start().on_entry(&Clock::tick).on<Tick>(&Clock::tick);
  }

 private:
  void tick() { send(self(), Tick{}); }
};

TEST(Endless, machines_that_go_on_are_cut_and_no_bug_under_a_fair_strategy) {
  heddle::Options options;
  options.strategy = "random";
  options.executions = 5;
  options.steps_max = 300;
  options.output = heddle::Output::quiet;
  options.trace_directory = "";
  const heddle::Result result = heddle::try_explore(
      [] {
        heddle::Runtime runtime;
        runtime.create<Clock>();
        runtime.create<Clock>();
      },
      options);
  EXPECT_FALSE(result.bug_found) << result.report;
  EXPECT_EQ(result.cut, 5u);
}

}  // namespace
