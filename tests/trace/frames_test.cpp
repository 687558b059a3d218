#include "trace/frames.hpp"

#include <gtest/gtest.h>

namespace heddle {
namespace {

Place library(const std::string& module, const std::string& function = {}) {
  Place place{module, 0x12a4, {}};
  if (!function.empty()) place.lines.push_back({function, "", 0});
  return place;
}

Place source(std::vector<Place::Line> lines) { return {"/home/ann/bank", 0x11a4, std::move(lines)}; }

std::string where_of(std::vector<Place> places) {
  Trace trace;
  std::vector<std::uint32_t> stack;
  for (Place& place : places) {
    stack.push_back(static_cast<std::uint32_t>(stack.size()));
    trace.places.push_back(std::move(place));
  }
  return where(trace, stack);
}

const Place kUser = source({{"push(int)", "/home/ann/src/queue.cpp", 40}});

TEST(FrameThatMatters, IsNotALibrarys) {
  for (const char* module : {"/usr/lib/libheddle.so.0", "/lib/x86_64-linux-gnu/libc.so.6", "/lib/libc-2.31.so",
                             "/usr/lib/libstdc++.so.6", "/lib64/ld-linux-x86-64.so.2", "libpthread.so.0"})
    EXPECT_EQ(where_of({library(module, "pthread_mutex_lock"), kUser}), "queue.cpp:40") << module;
}

TEST(FrameThatMatters, IsNotAHeaderOfTheStandardLibrary) {
  for (const char* file :
       {"/usr/include/c++/12/bits/std_mutex.h", "/usr/include/x86_64-linux-gnu/c++/12/bits/gthr-default.h",
        "/usr/lib/gcc/x86_64-linux-gnu/12/include/x.h", "/opt/llvm/include/c++/v1/mutex",
        "/home/ann/include/heddle/explore.hpp"})
    EXPECT_EQ(where_of({source({{"lock", file, 99}}), kUser}), "queue.cpp:40") << file;
}

TEST(FrameThatMatters, IsTheInnermostInlinedFunctionOfTheUser) {
  EXPECT_EQ(where_of({source({{"std::mutex::lock()", "/usr/include/c++/12/bits/std_mutex.h", 100},
                              {"Guard::Guard()", "/home/ann/src/guard.hpp", 7},
                              {"push(int)", "/home/ann/src/queue.cpp", 41}})}),
            "guard.hpp:7");
}

TEST(FrameThatMatters, MayBeInAFolderThatOnlyLooksLikeTheSystems) {
  EXPECT_EQ(where_of({source({{"pop", "/home/ann/bits/queue.cpp", 3}})}), "queue.cpp:3");
  EXPECT_EQ(where_of({library("/home/ann/libcache.so", "lookup")}), "lookup");
}

TEST(FrameThatMatters, IsAFunctionWhereNoLineIsKnown) {
  EXPECT_EQ(where_of({source({{"std::mutex::lock()", "", 0}}), source({{"void std::__invoke_impl<void>()", "", 0}}),
                      source({{"push(int)", "", 0}})}),
            "push(int)");
}

TEST(FrameThatMatters, IsAnOffsetWhereNothingIsKnown) {
  EXPECT_EQ(where_of({library("/home/ann/bank")}), "bank+0x12a4");
  EXPECT_EQ(where_of({}), "");
}

TEST(FrameThatMatters, IsALibrarysWhenThereIsNoOther) {
  EXPECT_EQ(where_of({library("/lib/libc.so.6", "abort")}), "abort");
  EXPECT_EQ(where_of({library("/lib/libc.so.6", "abort"), source({{"lock", "/usr/include/c++/12/mutex", 9}})}),
            "mutex:9");
}

TEST(FrameThatMatters, IsNotWhereALibraryStartedTheThread) {
  EXPECT_EQ(where_of({library("/lib/libstdc++.so.6"), library("/lib/libc.so.6", "start_thread")}), "");
}

TEST(FrameThatMatters, SurvivesAPlaceThatIsNotThere) { EXPECT_EQ(where(Trace{}, std::vector<std::uint32_t>{7}), ""); }

}  // namespace
}  // namespace heddle
