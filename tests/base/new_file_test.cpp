#include "base/new_file.hpp"

#include <gtest/gtest.h>

#include <cerrno>
#include <filesystem>
#include <fstream>

#include <unistd.h>

namespace heddle {
namespace {

namespace fs = std::filesystem;

class NewFile : public ::testing::Test {
 protected:
  NewFile() {
    std::string pattern = (fs::temp_directory_path() / "heddle-file-XXXXXX").string();
    folder_ = mkdtemp(pattern.data());
  }
  ~NewFile() override { fs::remove_all(folder_); }

  std::string path(const std::string& name) const { return folder_ / name; }
  std::string text_of(const std::string& name) const {
    std::ifstream file(path(name));
    return {std::istreambuf_iterator<char>(file), {}};
  }
  std::size_t files() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
  }

  fs::path folder_;
};

TEST_F(NewFile, AppearsWholeAndAlone) {
  EXPECT_EQ(write_new_file(path("a"), "one", IfThere::fail), 0);
  EXPECT_EQ(text_of("a"), "one");
  EXPECT_EQ(write_new_file(path("a"), "two", IfThere::fail), EEXIST);
  EXPECT_EQ(text_of("a"), "one");
  EXPECT_EQ(write_new_file(path("a"), "two", IfThere::replace), 0);
  EXPECT_EQ(text_of("a"), "two");
  EXPECT_EQ(files(), 1u);
}

TEST_F(NewFile, LeavesAloneWhatALinkLeadsTo) {
  std::ofstream(path("precious")) << "mine";
  fs::create_symlink(path("precious"), path("link"));
  EXPECT_EQ(write_new_file(path("link"), "x", IfThere::fail), EEXIST);
  EXPECT_EQ(write_output(path("link"), "x"), ELOOP);
  EXPECT_EQ(open_output(path("link")), -ELOOP);
  EXPECT_EQ(write_new_file(path("link"), "x", IfThere::replace), 0);
  EXPECT_EQ(text_of("precious"), "mine");
  EXPECT_FALSE(fs::is_symlink(path("link")));
  fs::create_symlink(path("nowhere"), path("dangling"));
  EXPECT_EQ(write_output(path("dangling"), "x"), ELOOP);
  EXPECT_FALSE(fs::exists(path("nowhere")));
}

TEST_F(NewFile, OutputReplacesAFileAndGoesIntoADevice) {
  std::ofstream(path("old")) << "old";
  fs::create_hard_link(path("old"), path("other name"));
  EXPECT_EQ(write_output(path("old"), "new"), 0);
  EXPECT_EQ(text_of("old"), "new");
  EXPECT_EQ(text_of("other name"), "old");
  const int descriptor = open_output(path("old"));
  ASSERT_GE(descriptor, 0);
  EXPECT_EQ(write_whole(descriptor, "newer"), 0);
  close(descriptor);
  EXPECT_EQ(text_of("old"), "newer");
  EXPECT_EQ(write_output("/dev/null", "x"), 0);
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
  EXPECT_EQ(write_output(path("no/such/folder"), "x"), ENOENT);
}

}  // namespace
}  // namespace heddle
