// The table of detectors: each can be asked, and what they say is documented.
#include "engine/detectors/table.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>

namespace heddle::engine {
namespace {

const std::string kRoot = HEDDLE_TESTS_DIR "/../";

std::string contents(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST(Detectors, AreAskedByTheTableOrByAFile) {
  std::set<std::string_view> names;
  for (const Detector& each : detectors()) {
    EXPECT_TRUE(names.insert(each.name).second) << each.name;
    const bool is_asked_here = each.at_wait != nullptr || each.at_standstill != nullptr || each.at_end != nullptr;
    EXPECT_TRUE(is_asked_here || !each.asked.empty()) << each.name;
    if (!each.asked.empty()) {
      EXPECT_TRUE(std::filesystem::exists(kRoot + "src/" + std::string(each.asked))) << each.asked;
    }
  }
}

TEST(Detectors, GiveEveryVerdictThatHeddleComesToByItself) {
  std::set<VerdictKind> given;
  for (const Detector& each : detectors()) given.insert(each.gives.begin(), each.gives.end());
  given.erase(VerdictKind::passed);
  EXPECT_EQ(given,
            (std::set{VerdictKind::deadlock, VerdictKind::lost_wakeup, VerdictKind::livelock, VerdictKind::misuse,
                      VerdictKind::leaked_thread, VerdictKind::memory_error, VerdictKind::race}));
}

TEST(Detectors, AreDocumented) {
  const std::string page = contents(kRoot + "docs/concepts.md");
  for (const Detector& each : detectors()) {
    const std::string row = "| `" + std::string(each.name) + "` | " + std::string(each.looks_for) + " | ";
    const std::size_t at = page.find(row);
    ASSERT_NE(at, std::string::npos) << row;
    const std::string verdicts = page.substr(at + row.size(), page.find('\n', at) - at - row.size());
    for (const VerdictKind kind : each.gives) {
      if (kind == VerdictKind::passed) continue;
      EXPECT_NE(verdicts.find("`" + std::string(name(kind)) + "`"), std::string::npos) << row << name(kind);
    }
  }
}

}  // namespace
}  // namespace heddle::engine
