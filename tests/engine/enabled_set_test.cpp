#include "engine/enabled_set.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <set>
#include <vector>

#include "base/random.hpp"

namespace heddle::engine {
namespace {

std::vector<OperationId> ids_of(const EnabledSet& set) { return {set.begin(), set.end()}; }

// The case of a few has no branches and reads beyond the last id; around its bound both cases take turns.
TEST(EnabledSet, HoldsWhatASetHoldsWhateverComesAndGoes) {
  Random random(1);
  for (const std::uint32_t operations : {1u, 2u, 7u, 8u, 9u, 10u, 40u, 3000u}) {
    EnabledSet enabled;
    enabled.clear();
    std::set<OperationId> expected;
    for (int i = 0; i < 20'000; ++i) {
      const OperationId id{random.below(operations)};
      if (expected.erase(id) == 1) {
        enabled.erase(id);
      } else {
        expected.insert(id);
        enabled.insert(id);
      }
      ASSERT_EQ(ids_of(enabled), std::vector<OperationId>(expected.begin(), expected.end())) << operations;
    }
  }
}

TEST(EnabledSet, AppendsAndSwaps) {
  EnabledSet enabled;
  enabled.clear();
  for (std::uint32_t i = 0; i < 5; ++i) enabled.append(OperationId{i * 2});
  PageVector<OperationId> others;
  others.push_back(OperationId{1});
  enabled.swap(others);
  enabled.insert(OperationId{0});
  EXPECT_EQ(ids_of(enabled), (std::vector{OperationId{0}, OperationId{1}}));
  EXPECT_EQ(others.size(), 5u);
}

}  // namespace
}  // namespace heddle::engine
