// Two million executions of a program that is rewound, without growth of memory after the first tenth.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <future>
#include <string>
#include <thread>
#include <vector>

#include "run.hpp"

namespace heddle {
namespace {

/// Resident kilobytes of the largest process with this name.
long resident_of(const std::string& name) {
  long most = 0;
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator("/proc", ignored)) {
    std::ifstream status(entry.path() / "status");
    std::string word;
    if (!(status >> word >> word) || word != name) continue;
    while (status >> word)
      if (word == "VmRSS:" && status >> word) most = std::max(most, std::stol(word));
  }
  return most;
}

TEST(Memory, OfARewoundProgramDoesNotGrowAfterTheFirstTenth) {
  const testing::TemporaryFolder folder;
  auto run = std::async(std::launch::async, [&] {
    return testing::run_heddle(
        "run --isolation rewind --executions 2000000 --time 3000 -- " HEDDLE_RUN_PROGRAMS "/grower", folder.path());
  });
  std::vector<long> seen;  // every two seconds
  while (run.wait_for(std::chrono::seconds(2)) != std::future_status::ready)
    if (const long now = resident_of("grower"); now > 0) seen.push_back(now);
  const testing::Outcome outcome = run.get();
  EXPECT_EQ(outcome.code, 0) << outcome.output;
  ASSERT_GE(seen.size(), 10u) << outcome.output;
  const std::size_t tenth = seen.size() / 10 + 1;
  const long last = *std::max_element(seen.begin(), seen.end());
  EXPECT_LE(last, seen[tenth] + seen[tenth] / 20) << "KB after the first tenth, and at most: 5 % for what is rare";
}

}  // namespace
}  // namespace heddle
