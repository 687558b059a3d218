// Ten million events among machines on a pool of threads.
#include <gtest/gtest.h>

#include "machines.hpp"
#include "storm.hpp"

namespace {

using production::adds_up;
using production::with;

TEST(ProductionSoak, ten_million_events_none_lost_each_pair_in_order) {
  for (std::uint32_t threads : {2u, 4u}) {
    production::Storm storm({.machines = 200, .events_each = 50'000, .burst = 20});
    heddle::Runtime runtime(with(threads));
    storm.begin(runtime);
    runtime.stop();
    EXPECT_EQ(storm.handled(), 10'000'000u);
    EXPECT_EQ(storm.out_of_order(), 0u);
    EXPECT_TRUE(adds_up(runtime.metrics()));
  }
}

TEST(ProductionSoak, ten_million_events_through_bounded_inboxes) {
  heddle::RuntimeOptions options = with(3);
  options.inbox_max = 64;
  production::Storm storm({.machines = 200, .events_each = 50'000, .burst = 20});
  heddle::Runtime runtime(options);
  storm.begin(runtime);
  runtime.stop();
  EXPECT_EQ(storm.handled(), 10'000'000u);
  EXPECT_EQ(storm.out_of_order(), 0u);
}

}  // namespace
