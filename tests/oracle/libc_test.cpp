// The naive interpreter itself, by threads that run free on libc: whatever they do must be among what it says that they
// can do. Only programs that always come to their end can be run so.
#include <gtest/gtest.h>

#include <sched.h>

#include <atomic>
#include <cstdint>
#include <string>

#include "oracle/child.hpp"
#include "oracle/generate.hpp"
#include "oracle/naive.hpp"
#include "oracle/threads.hpp"

namespace heddle::oracle {
namespace {

std::atomic<std::uint32_t> noise{1};

std::uint32_t any_number() { return noise.fetch_add(0x9e37'79b9u, std::memory_order_relaxed) * 0x85eb'ca6bu >> 13; }

/// Now and then a thread stands still for a moment, so that the threads meet in many orders.
void stumble() {
  if (any_number() % 3 == 0) sched_yield();
  for (volatile std::uint32_t i = any_number() % 300; i > 0;) i = i - 1;
}

timespec soon() {
  timespec time;
  clock_gettime(CLOCK_REALTIME, &time);
  time.tv_nsec += 5'000;
  if (time.tv_nsec >= 1'000'000'000) time = {time.tv_sec + 1, time.tv_nsec - 1'000'000'000};
  return time;
}

Hooks free_running() {
  Hooks hooks;
  hooks.step = stumble;
  hooks.choose = [](std::uint32_t bound) { return any_number() % bound; };
  hooks.deadline = soon;
  hooks.duration = {0, 1'000};
  return hooks;
}

bool always_ends(const Outcomes& outcomes) {
  for (const Outcome& outcome : outcomes)
    if (outcome.end != End::ok) return false;
  return true;
}

class Libc : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Of, Libc, testing::Range(0, static_cast<int>(Theme::kCount)),
                         [](const auto& one) { return std::string(name(static_cast<Theme>(one.param))); });

TEST_P(Libc, DoesNothingThatIsNotPossible) {
  int wanted = 25;
  for (std::uint64_t seed = 0; wanted > 0 && seed < 1'000; ++seed) {
    const Program program = generate(static_cast<Theme>(GetParam()), seed);
    const auto possible = all_outcomes(program, 20'000);
    if (!possible || !always_ends(*possible) || uses(program, {Op::detach})) continue;
    --wanted;
    const Answer answer = in_child(10, [&](const Say& say) {
      Threads threads(program, free_running());
      for (int i = 0; i < 15; ++i) {
        threads.run_to_the_end();
        const Outcome outcome{End::ok, 0, 0, threads.values()};
        if (!possible->contains(outcome)) say(to_text(program, outcome) + "\n");
      }
    });
    ASSERT_FALSE(answer.died) << to_text(program) << answer.text;
    ASSERT_EQ(answer.text, "") << to_text(program);
  }
}

}  // namespace
}  // namespace heddle::oracle
