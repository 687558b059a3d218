// Output against its approved baseline in tests/report/approved. HEDDLE_APPROVE=1 writes what came out as approved:
// then the diff is read by a person.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <string>

namespace heddle::testing {

inline void expect_approved(const std::string& name, const std::string& text) {
  const std::string path = std::string(HEDDLE_TESTS_DIR "/report/approved/") + name + ".txt";
  if (std::getenv("HEDDLE_APPROVE") != nullptr) std::ofstream(path, std::ios::binary) << text;
  std::ifstream file(path, std::ios::binary);
  const std::string approved{std::istreambuf_iterator<char>(file), {}};
  EXPECT_EQ(text, approved) << "not as in " << path << "; if it should be, run again with HEDDLE_APPROVE=1";
}

}  // namespace heddle::testing
