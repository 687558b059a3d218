// Memory is byte for byte what it was, by every means that the kernel here offers, after writes of every kind.
#include "engine/saved_memory.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "base/own_descriptors.hpp"
#include "base/random.hpp"
#include "engine/touched_pages.hpp"
#include "support/kernel.hpp"

namespace heddle::engine {
namespace {

constexpr int kFirstDescriptor = 300;
[[maybe_unused]] const bool window_is_set = (own_descriptors.set(kFirstDescriptor), true);
constexpr std::size_t kLargePages = 1200;  // more than two pages of page table stand for
constexpr std::size_t kSmallBytes = 5000;

std::string words_for(PageTracking means) {
  return means == PageTracking::scan ? "scan" : means == PageTracking::soft_dirty ? "soft_dirty" : "copy";
}

/// Pages and a few bytes, with something in them and something not.
class Memory {
 public:
  Memory()
      : pages_(static_cast<char*>(
            mmap(nullptr, kLargePages * kPageBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0))),
        small_(kSmallBytes, 'x') {
    for (std::size_t page = 0; page < kLargePages; page += 3)
      std::memset(pages_ + page * kPageBytes, static_cast<int>(page), kPageBytes);
  }
  ~Memory() { munmap(pages_, kLargePages * kPageBytes); }
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;

  char* begin() const { return pages_ + 100; }  // in the middle of a page, as the end is
  char* end() const { return pages_ + kLargePages * kPageBytes - 200; }
  char* page(std::size_t index) const { return pages_ + index * kPageBytes; }
  std::vector<char>& small() { return small_; }
  std::string contents() const { return std::string(begin(), end()) + std::string(small_.begin(), small_.end()); }

 private:
  char* pages_;
  std::vector<char> small_;
};

class Writer {
 public:
  Writer(Memory& memory, Random& random) : memory_(memory), random_(random) { EXPECT_EQ(pipe(pipe_), 0); }
  ~Writer() {
    close(pipe_[0]);
    close(pipe_[1]);
  }
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;

  void write_somewhere() {
    char* const at = memory_.begin() + below(static_cast<std::size_t>(memory_.end() - memory_.begin()) - 64);
    switch (below(8)) {
      case 0:
        std::memset(at, 'w', 64);
        break;
      case 1:  // the kernel writes
        EXPECT_EQ(write(pipe_[1], "from the kernel", 16), 16);
        EXPECT_EQ(read(pipe_[0], at, 16), 16);
        break;
      case 2:
        madvise(memory_.page(1 + below(kLargePages - 2)), kPageBytes, MADV_DONTNEED);
        break;
      case 3:
        memory_.small()[below(kSmallBytes)] = 'y';
        break;
      default:
        *at = static_cast<char>(below(256));
    }
  }
  void write_many() { std::memset(memory_.page(300), 'm', 400 * kPageBytes); }
  void drop_many() { madvise(memory_.page(200), 900 * kPageBytes, MADV_DONTNEED); }

 private:
  std::size_t below(std::size_t bound) { return random_.below(static_cast<std::uint32_t>(bound)); }

  Memory& memory_;
  Random& random_;
  int pipe_[2];
};

TEST(TouchedPages, AreToldWhereTheKernelScans) {
  EXPECT_EQ(TouchedPages::works(PageTracking::scan), test::kernel_scans_pages());
}

class SavedMemoryBy : public testing::TestWithParam<PageTracking> {
 protected:
  void SetUp() override {
    if (GetParam() != PageTracking::none && !TouchedPages::works(GetParam()))
      GTEST_SKIP() << "this kernel does not offer it";
  }
};

TEST_P(SavedMemoryBy, IsWhatItWasAfterEveryKindOfWrite) {
  Memory memory;
  SavedMemory saved;
  saved.add(memory.begin(), memory.end());
  saved.add(memory.small().data(), memory.small().data() + kSmallBytes);
  const std::string before = memory.contents();
  saved.take(GetParam());
  Random random(11);
  Writer writer(memory, random);
  for (int round = 0; round < 300; ++round) {
    for (std::uint32_t writes = random.below(40); writes > 0; --writes) writer.write_somewhere();
    if (round % 50 == 7) writer.write_many();
    if (round % 50 == 9) writer.drop_many();
    ASSERT_NE(round % 50 == 7 ? memory.contents() : "", before);
    saved.put_back();
    ASSERT_TRUE(memory.contents() == before) << "round " << round;
  }
}

/// A program may close every descriptor that it finds.
TEST_P(SavedMemoryBy, IsWhatItWasWhenTheMeansIsLost) {
  Memory memory;
  SavedMemory saved;
  saved.add(memory.begin(), memory.end());
  const std::string before = memory.contents();
  saved.take(GetParam());
  *memory.page(20) = 'a';
  for (int descriptor = kFirstDescriptor; descriptor < kFirstDescriptor + 10; ++descriptor) close(descriptor);
  *memory.page(30) = 'b';
  saved.put_back();
  EXPECT_TRUE(memory.contents() == before);
  *memory.page(40) = 'c';
  saved.put_back();
  EXPECT_TRUE(memory.contents() == before);
}

INSTANTIATE_TEST_SUITE_P(Means, SavedMemoryBy,
                         testing::Values(PageTracking::none, PageTracking::scan, PageTracking::soft_dirty),
                         [](const auto& test) { return words_for(test.param); });

/// What a means is for: the pages that were touched and no others.
class TouchedPagesBy : public SavedMemoryBy {};

TEST_P(TouchedPagesBy, AreJustThoseThatWereWritten) {
  Memory memory;
  const PageRange all = {memory.page(0), memory.page(kLargePages)};
  TouchedPages watched;
  ASSERT_TRUE(watched.watch(GetParam(), {&all, 1}));
  Random random(5);
  PageVector<PageRange> found;
  for (int round = 0; round < 50; ++round) {
    std::vector<bool> expected(kLargePages, false);
    for (int i = 0; i < 30; ++i) {
      const std::uint32_t page = random.below(kLargePages);
      *(memory.page(page) + random.below(kPageBytes)) = 'z';
      expected[page] = true;
    }
    ASSERT_TRUE(watched.find(found));
    std::vector<bool> told(kLargePages, false);
    for (const PageRange& range : found)
      for (char* page = range.begin; page < range.end; page += kPageBytes)
        told[static_cast<std::size_t>(page - all.begin) / kPageBytes] = true;
    EXPECT_EQ(told, expected);
    ASSERT_TRUE(watched.forget());
  }
}

INSTANTIATE_TEST_SUITE_P(Means, TouchedPagesBy, testing::Values(PageTracking::scan, PageTracking::soft_dirty),
                         [](const auto& test) { return words_for(test.param); });

}  // namespace
}  // namespace heddle::engine
