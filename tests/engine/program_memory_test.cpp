#include "engine/program_memory.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>

#include "base/raw.hpp"
#include "engine/touched_pages.hpp"

namespace heddle::engine {
namespace {

class ProgramMemoryTest : public testing::Test {
 protected:
  static constexpr std::size_t kBytes = 64 * kPageBytes;
  ProgramMemoryTest() : pages_(static_cast<char*>(raw::map_pages(kBytes))) {}
  ~ProgramMemoryTest() override { raw::unmap_pages(pages_, kBytes); }
  std::uint64_t hash() {
    const auto begin = reinterpret_cast<std::uintptr_t>(pages_);
    return memory_.hash_touched(begin, begin + kBytes);
  }

  char* const pages_;
  ProgramMemory memory_;
};

TEST_F(ProgramMemoryTest, ZerosCountAsLittleAsPagesThatWereNeverTouched) {
  const std::uint64_t untouched = hash();
  pages_[5 * kPageBytes] = 0;
  EXPECT_EQ(hash(), untouched);
  pages_[5 * kPageBytes] = 1;
  EXPECT_NE(hash(), untouched);
  pages_[5 * kPageBytes] = 0;
  EXPECT_EQ(hash(), untouched);
}

TEST_F(ProgramMemoryTest, EveryByteCountsAndWhereItIs) {
  std::memset(pages_, 7, 2 * kPageBytes);
  const std::uint64_t before = hash();
  for (const std::size_t at : {std::size_t{0}, kPageBytes - 1, kPageBytes, 2 * kPageBytes - 8, kBytes - 1}) {
    ++pages_[at];
    EXPECT_NE(hash(), before) << at;
    --pages_[at];
    EXPECT_EQ(hash(), before) << at;
  }
  std::memset(pages_, 0, 2 * kPageBytes);
  std::memset(pages_ + 2 * kPageBytes, 7, 2 * kPageBytes);
  EXPECT_NE(hash(), before);  // the same bytes elsewhere
}

TEST_F(ProgramMemoryTest, OnlyWhatHasMemoryIsRead) {
  pages_[3 * kPageBytes] = 1;
  memory_.begin();
  hash();
  EXPECT_LT(memory_.bytes_read(), kBytes / 2);
}

TEST_F(ProgramMemoryTest, HasNoNumberWhereHeddleIsPartOfTheProgram) {
  memory_.note_home();
  EXPECT_FALSE(memory_.hash());
}

}  // namespace
}  // namespace heddle::engine
