// Ten million events among machines on a pool of threads: under stop, halt, abort and overload none is lost. Once as it
// is, and once under ThreadSanitizer.
#include <gtest/gtest.h>

#include <thread>

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

TEST(ProductionSoak, ten_million_events_while_machines_halt) {
  production::Storm storm({.machines = 200, .events_each = 67'000, .halting = 100, .burst = 20});  // half of them half
  heddle::Runtime runtime(with(3));
  storm.begin(runtime);
  runtime.stop();
  const heddle::Metrics metrics = runtime.metrics();
  EXPECT_GT(metrics.events_sent, 10'000'000u);
  EXPECT_GT(metrics.events_dropped, 0u);
  EXPECT_EQ(metrics.machines_halted, 100u);
  EXPECT_TRUE(adds_up(metrics));
}

TEST(ProductionSoak, ten_million_events_to_inboxes_that_drop_what_is_too_much) {
  heddle::RuntimeOptions options = with(3);
  options.inbox_max = 16;
  options.when_full = heddle::RuntimeOptions::WhenFull::drop;
  std::uint64_t sent = 0;
  std::uint64_t dropped = 0;
  for (std::uint32_t round = 0; sent < 10'000'000; ++round) {  // what is dropped may be what keeps a machine going
    production::Storm storm({.machines = 200, .events_each = 10'000, .burst = 20});
    heddle::Runtime runtime(options);
    storm.begin(runtime);
    runtime.stop();
    const heddle::Metrics metrics = runtime.metrics();
    ASSERT_TRUE(adds_up(metrics)) << round;
    ASSERT_GT(metrics.events_sent, 0u);
    sent += metrics.events_sent;
    dropped += metrics.events_dropped;
  }
  EXPECT_GT(dropped, 0u);
}

TEST(ProductionSoak, ten_million_events_of_which_abort_drops_some) {
  std::uint64_t sent = 0;
  for (std::uint32_t round = 0; sent < 10'000'000; ++round) {
    production::Storm storm({.machines = 200, .events_each = 50'000, .burst = 20});
    heddle::Runtime runtime(with(3));
    storm.begin(runtime);
    while (storm.handled() < 1'000'000) std::this_thread::yield();
    runtime.abort();
    const heddle::Metrics metrics = runtime.metrics();
    ASSERT_TRUE(adds_up(metrics)) << round;
    sent += metrics.events_sent;
  }
}

}  // namespace
