#include "report/symbolizer.hpp"

#include <dlfcn.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <link.h>
#include <unwind.h>

#include <filesystem>
#include <vector>

#include "report/build_id.hpp"
#include "report/dwarf.hpp"
#include "trace/frames.hpp"

namespace heddle::report {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::MatchesRegex;

/// As the recorder makes them: a module's path, and the return address minus its load bias.
Place place_of(void* address) {
  Dl_info info{};
  link_map* map = nullptr;
  dladdr1(address, &info, reinterpret_cast<void**>(&map), RTLD_DL_LINKMAP);
  const std::string path = map->l_name[0] == '\0' ? std::filesystem::read_symlink("/proc/self/exe") : map->l_name;
  return {path, reinterpret_cast<std::uintptr_t>(address) - map->l_addr, {}};
}

/// Never a tail call: what is called returns into the caller.
#define KEEP_FRAME asm volatile("" ::: "memory")

/// Fills in an operation that stands where this is called.
[[gnu::noinline]] void capture(Trace& trace) {
  std::vector<void*> frames;  // of this function, its caller, …
  _Unwind_Backtrace(
      [](_Unwind_Context* context, void* all) {
        static_cast<std::vector<void*>*>(all)->push_back(reinterpret_cast<void*>(_Unwind_GetIP(context)));
        return _URC_NO_REASON;
      },
      &frames);
  TraceOperation operation;
  for (std::size_t i = 1; i < frames.size() && frames[i] != nullptr; ++i) {
    operation.stack.push_back(static_cast<std::uint32_t>(trace.places.size()));
    trace.places.push_back(place_of(frames[i]));
  }
  trace.operations.push_back(operation);
  KEEP_FRAME;
}

constexpr int kInlinedLine = __LINE__ + 2;
[[gnu::always_inline]] inline void inlined_function(Trace& trace) {
  capture(trace);
  KEEP_FRAME;
}

constexpr int kCallerLine = __LINE__ + 2;
[[gnu::noinline]] void calling_function(Trace& trace, int) {
  inlined_function(trace);
  KEEP_FRAME;
}

Trace symbolized_trace() {
  Trace trace;
  const auto body = [&] {
    calling_function(trace, 1);
    KEEP_FRAME;
  };
  body();
  symbolize(trace);
  return trace;
}

TEST(Symbolizer, FindsInlinedFunctionsInnermostFirst) {
  const Trace trace = symbolized_trace();
  const std::vector<Place::Line>& lines = trace.places.at(0).lines;
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_THAT(lines[0].function, HasSubstr("inlined_function"));
  EXPECT_THAT(lines[0].file, EndsWith("tests/report/symbolizer_test.cpp"));
  EXPECT_EQ(lines[0].line, kInlinedLine);
  EXPECT_THAT(lines[1].function, HasSubstr("calling_function"));
  EXPECT_THAT(lines[1].file, EndsWith("tests/report/symbolizer_test.cpp"));
  EXPECT_EQ(lines[1].line, kCallerLine);
}

TEST(Symbolizer, NamesLambdasAfterTheFunctionThatTheyAreIn) {
  const Trace trace = symbolized_trace();
  const auto all = frames(trace, trace.operations[0].stack);
  ASSERT_GT(all.size(), 3u);
  ASSERT_TRUE(all[2].line);
  EXPECT_THAT(all[2].line->function, HasSubstr("symbolized_trace"));
  EXPECT_THAT(all[2].line->function, MatchesRegex(".*(\\{lambda|\\$_).*"));
}

TEST(Symbolizer, NamesOperationsThatHaveNoName) {
  Trace trace;
  calling_function(trace, 1);
  trace.operations[0].stack.resize(1);
  trace.operations.push_back(trace.operations[0]);
  trace.operations[1].name = "worker";
  symbolize(trace);
  EXPECT_THAT(trace.operations[0].name, HasSubstr("calling_function"));
  EXPECT_EQ(trace.operations[1].name, "worker");
}

TEST(Symbolizer, GivesLibrariesTheirFunctionsOnly) {
  Trace trace;
  void* const puts_address = dlsym(RTLD_DEFAULT, "puts");
  trace.places.push_back(place_of(static_cast<char*>(puts_address) + 4));
  symbolize(trace);
  ASSERT_EQ(trace.places[0].lines.size(), 1u);
  EXPECT_THAT(trace.places[0].lines[0].function, HasSubstr("puts"));
  EXPECT_EQ(trace.places[0].lines[0].file, "");
}

TEST(Symbolizer, LeavesAloneWhatItDoesNotKnow) {
  Trace trace;
  trace.places = {{"/no/such/file", 0x10, {}},
                  {HEDDLE_TESTS_DIR "/report/symbolizer_test.cpp", 0x10, {}},
                  {HEDDLE_TESTS_DIR, 0x10, {}},
                  {"[vdso]", 0x10, {}},
                  {"/proc/self/exe", 0, {}},
                  {"/proc/self/exe", ~0ull, {}},
                  {"/proc/self/exe", 0x10, {{"known", "file.cpp", 3}}}};
  symbolize(trace);
  for (std::size_t i = 0; i < 6; ++i) EXPECT_TRUE(trace.places[i].lines.empty()) << i;
  EXPECT_EQ(trace.places[6].lines[0].function, "known");
  EXPECT_EQ(where({&trace.places[0], nullptr}), "file+0x10");
}

TEST(Demangled, LeavesNamesOfCAlone) {
  EXPECT_EQ(demangled("_ZN5Queue4pushEi"), "Queue::push(int)");
  for (const char* const name : {"x", "a", "i", "main", "_start"}) EXPECT_EQ(demangled(name), name);
}

TEST(BuildId, IsThatOfTheFile) {
  EXPECT_THAT(build_id_of("/proc/self/exe"), MatchesRegex("([0-9a-f]{8,})?"));  // some linkers write none
  EXPECT_THAT(build_id_of("/lib/x86_64-linux-gnu/libc.so.6"), MatchesRegex("([0-9a-f]{8,})?"));
  EXPECT_EQ(build_id_of(HEDDLE_TESTS_DIR "/report/symbolizer_test.cpp"), "");
  EXPECT_EQ(build_id_of("/no/such/file"), "");
}

}  // namespace
}  // namespace heddle::report
