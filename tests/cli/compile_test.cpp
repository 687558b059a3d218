// `heddle cc` and `heddle c++` as a user, make and CMake meet them: real compilers, and what they leave behind.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "cli/run.hpp"

namespace heddle {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::Outcome;
using testing::run_shell;
using ::testing::StartsWith;

const std::string kSources = HEDDLE_TESTS_DIR "/cli/instrumented";

class Compile : public ::testing::Test {
 protected:
  void SetUp() override {
    fs::create_directory(folder_ / "tmp");
    for (const char* name : {"part.c", "whole.cpp"}) fs::copy(kSources + "/" + name, folder_ / name);
  }

  /// In the folder; every temporary file has to be gone afterwards.
  Outcome shell(const std::string& line) {
    const Outcome outcome = run_shell("export TMPDIR='" + folder_ / "tmp" + "'; " + line, folder_.path());
    EXPECT_TRUE(fs::is_empty(folder_ / "tmp")) << line;
    return outcome;
  }
  Outcome heddle(const std::string& words, const std::string& variables = "") {
    return shell(variables + " '" HEDDLE_COMMAND_PATH "' " + words);
  }
  void expect_silence(const std::string& words, const std::string& variables = "") {
    const Outcome outcome = heddle(words, variables);
    EXPECT_EQ(outcome.code, 0) << words;
    EXPECT_EQ(outcome.output, "") << words;
  }
  void expect_output(const std::string& program, const std::string& output) {
    const Outcome outcome = shell("'./" + program + "'");
    EXPECT_EQ(outcome.code, 0) << program;
    EXPECT_EQ(outcome.output, output) << program;
  }
  /// It calls what -fsanitize=thread calls, and asks for heddle's library instead of TSan's.
  void expect_instrumented(const std::string& program) {
    EXPECT_THAT(shell("nm -D '" + program + "'").output, HasSubstr(" U __tsan_init"));
    EXPECT_THAT(shell("readelf -d '" + program + "'").output,
                AllOf(HasSubstr("[libheddle_memory.so]"), Not(HasSubstr("tsan"))));
  }
  void write(const std::string& name, const std::string& text) { std::ofstream(folder_ / name) << text; }

  testing::TemporaryFolder folder_;
};

TEST_F(Compile, OnlyCompiles) {
  expect_silence("c++ -O2 -c whole.cpp");
  expect_silence("cc -o 'a part.o' -c part.c");
  EXPECT_THAT(shell("nm whole.o").output, HasSubstr(" U __tsan_func_entry"));
  EXPECT_THAT(shell("nm 'a part.o'").output, AllOf(HasSubstr(" U __tsan_read4"), HasSubstr(" U __tsan_write4")));
  EXPECT_THAT(heddle("cc -S -o - part.c").output, HasSubstr("__tsan_read4"));
  EXPECT_THAT(heddle("cc -E -dM -x c - </dev/null").output, HasSubstr("__SANITIZE_THREAD__"));
  EXPECT_THAT(heddle("cc -M part.c").output, StartsWith("part.o: part.c"));
}

TEST_F(Compile, OnlyLinks) {
  expect_silence("c++ -c whole.cpp");
  expect_silence("cc -c part.c");
  expect_silence("c++ -o program whole.o part.o -fsanitize=thread");
  expect_instrumented("program");
  expect_output("program", "42\n");
}

TEST_F(Compile, CompilesAndLinksAtOnce) {
  fs::create_directory(folder_ / "a folder");
  fs::rename(folder_ / "part.c", folder_ / "a folder/part one.c");
  expect_silence("c++ -O2 -o before whole.cpp -xc 'a folder/part one.c' -x none -Wall -lm");
  expect_silence(
      "cc -I. -DX 'a folder/part one.c' -xc++ whole.cpp -o 'a folder/after' -lstdc++ -Wl,-O1 -fsanitize=thread");
  for (const char* program : {"before", "a folder/after"}) {
    expect_instrumented(program);
    expect_output(program, "42\n");
  }
  expect_silence("cc -xc - <<'END'\nint main(void) { return 0; }\nEND");
  expect_instrumented("a.out");
}

TEST_F(Compile, LinksObjectsAmongSourcesInTheirOrder) {
  expect_silence("cc -c part.c");
  shell("ar rc libpart.a part.o");
  expect_silence("c++ -L. whole.cpp -lpart -o program");
  expect_output("program", "42\n");
  expect_silence("cc -shared -fPIC part.c -o libshared.so");
  expect_instrumented("libshared.so");
  expect_silence("c++ whole.cpp ./libshared.so -o shared -Wl,-rpath,.");
  expect_output("shared", "42\n");
}

TEST_F(Compile, ReadsResponseFiles) {
  write("inner", "-o 'a program'\n");
  write("words", "whole.cpp \"part.c\"\n@inner -DTEXT=\\\"a\\ b\\\"");
  expect_silence("c++ @words");
  expect_instrumented("a program");
  EXPECT_THAT(heddle("c++ @nowhere").output, HasSubstr("nowhere"));
}

TEST_F(Compile, SaysWhatSourcesDependOn) {
  expect_silence("cc -MMD -c part.c");
  expect_silence("c++ -MMD whole.cpp part.o -o program");
  EXPECT_THAT(shell("cat part.d program.d").output,
              AllOf(HasSubstr("part.o: part.c"), HasSubstr("program: whole.cpp")));
}

TEST_F(Compile, InstrumentsDespiteLinkTimeOptimization) {
  expect_silence("c++ -O2 -flto whole.cpp part.c -o program");
  EXPECT_THAT(shell("nm -D program").output, HasSubstr(" U __tsan_write4"));
  expect_output("program", "42\n");
}

TEST_F(Compile, HandsOnWhatHasNoInput) {
  for (const char* words : {"--version", "-v", "-dumpmachine", "-print-search-dirs", "-### part.c", "", "--help"}) {
    const Outcome own = heddle(std::string("cc ") + words);
    const Outcome plain = shell(std::string("cc ") + words);
    EXPECT_EQ(own.code, plain.code) << words;
    if (words != std::string("-### part.c")) {  // has the names of temporary files
      EXPECT_EQ(own.output, plain.output) << words;
    }
    EXPECT_THAT(own.output, Not(HasSubstr("-fsanitize=thread"))) << words;
  }
}

TEST_F(Compile, HasTheCompilersExitCode) {
  write("broken.c", "int main(void) { return nothing; }\n");
  for (const char* words : {"cc -c broken.c", "cc broken.c part.c", "cc part.c -o program"}) {
    const Outcome outcome = heddle(words);
    EXPECT_EQ(outcome.code, 1) << words;
    EXPECT_THAT(outcome.output, HasSubstr(words[3] == 'p' ? "undefined reference to `main'" : "broken.c:1:25: error:"));
  }
  EXPECT_FALSE(fs::exists(folder_ / "a.out"));
  write("compiler", "#!/bin/sh\nexit 77\n");
  shell("chmod +x compiler");
  for (const char* words : {"cc -c part.c", "cc part.c", "cc part.o"})
    EXPECT_EQ(heddle(words, "HEDDLE_CC=./compiler").code, 77) << words;
}

TEST_F(Compile, SaysWhatItCannotDo) {
  for (const char* words : {"cc part.c", "cc -c part.c", "c++ --version"}) {
    const Outcome missing = heddle(words, "HEDDLE_CC=no-such-cc HEDDLE_CXX=no-such-cc");
    EXPECT_EQ(missing.code, 1);
    EXPECT_EQ(missing.output,
              "heddle: cannot run the compiler no-such-cc: No such file or directory (HEDDLE_CC and "
              "HEDDLE_CXX name others)\n");
  }
  const Outcome linked_statically = heddle("c++ -static whole.cpp part.c");
  EXPECT_EQ(linked_statically.code, 1);
  EXPECT_EQ(linked_statically.output,
            "heddle: -static: heddle can only be loaded into programs that are linked dynamically; link without it\n");
  expect_silence("cc -static -c part.c");
  const Outcome homeless = shell("TMPDIR=/nowhere '" HEDDLE_COMMAND_PATH "' cc part.c");
  EXPECT_EQ(homeless.code, 1);
  EXPECT_THAT(homeless.output, StartsWith("heddle: no temporary directory for objects (TMPDIR): "));
}

TEST_F(Compile, TakesACompilerOfSeveralWords) {
  expect_silence("c++ whole.cpp part.c -o program", "HEDDLE_CXX='env c++ -O1'");
  expect_instrumented("program");
}

TEST_F(Compile, HasTheNamesOfCompilers) {
  const std::string command = HEDDLE_COMMAND_PATH;
  EXPECT_EQ(shell("'" + command + "-c++' -o program whole.cpp part.c").output, "");
  expect_instrumented("program");
  EXPECT_EQ(shell("PATH='" + fs::path(command).parent_path().string() + "':$PATH heddle-cc -c part.c").output, "");
  EXPECT_THAT(shell("nm part.o").output, HasSubstr("__tsan_"));
}

TEST_F(Compile, ServesMake) {
  write("Makefile", "program: whole.o part.o\n\t$(CXX) $(LDFLAGS) -o $@ $^\n");
  const Outcome made = shell("make CC=\"'" HEDDLE_COMMAND_PATH "' cc\" CXX=\"'" HEDDLE_COMMAND_PATH "' c++\"");
  EXPECT_EQ(made.code, 0) << made.output;
  expect_instrumented("program");
  expect_output("program", "42\n");
}

// --- with each compiler --------------------------------------------------------------------------------------------

struct Compiler {
  const char* command;
  const char* level;
};

class CompileWith : public Compile, public ::testing::WithParamInterface<Compiler> {
 protected:
  void SetUp() override {
    Compile::SetUp();
    ASSERT_EQ(shell(std::string("command -v ") + GetParam().command).code, 0) << GetParam().command;
  }
  void build(const std::string& name) {
    expect_silence("c++ -std=c++20 -Wall -Wextra -Werror -mcx16 -pthread " + std::string(GetParam().level) + " '" +
                       kSources + "/" + name + ".cpp' -o " + name,
                   std::string("HEDDLE_CXX=") + GetParam().command);
    expect_instrumented(name);
    expect_output(name, "all right\n");
  }
};

TEST_P(CompileWith, PerformsAtomicOperations) {
  build("atomics");
  const std::string symbols = shell("nm -D atomics").output;
  for (const char* bits : {"8", "16", "32", "64", "128"})
    for (const char* operation : {"load", "store", "exchange", "fetch_add", "fetch_sub", "fetch_and", "fetch_or",
                                  "fetch_xor", "fetch_nand", "compare_exchange_"})
      EXPECT_THAT(symbols, HasSubstr(std::string(" U __tsan_atomic") + bits + "_" + operation));
}

TEST_P(CompileWith, LeavesAccessesAndExceptionsAsTheyWere) { build("accesses"); }

INSTANTIATE_TEST_SUITE_P(Compilers, CompileWith,
                         ::testing::Values(Compiler{"g++", "-O0"}, Compiler{"g++", "-O2"},
                                           Compiler{"clang++-14", "-O0"}, Compiler{"clang++-14", "-O2"}),
                         [](const auto& each) {
                           const Compiler compiler = each.param;
                           return std::string(compiler.command[0] == 'g' ? "Gcc" : "Clang") + (compiler.level + 1);
                         });

// --- with CMake ----------------------------------------------------------------------------------------------------

/// heddle, installed.
class CompileWithCMake : public Compile {
 protected:
  void SetUp() override {
    Compile::SetUp();
    const Outcome installed = shell("cmake --install '" HEDDLE_BUILD_DIR "' --prefix '" + folder_ / "installed" + "'");
    ASSERT_EQ(installed.code, 0) << installed.output;
  }
  /// In the order in which they are searched.
  std::vector<std::string> libraries_of(const std::string& program) {
    const std::string text = shell("readelf -d " + program).output;
    std::map<std::size_t, std::string> found;
    for (const char* library : {"libheddle.so", "libheddle_memory.so", "libtsan"})
      if (const std::size_t at = text.find(std::string("[") + library); at != std::string::npos) found[at] = library;
    std::vector<std::string> libraries;
    for (const auto& [at, library] : found) libraries.push_back(library);
    return libraries;
  }
};

TEST_F(CompileWithCMake, InstrumentsATarget) {
  for (const char* compilers : {"-DCMAKE_C_COMPILER=gcc -DCMAKE_CXX_COMPILER=g++",
                                "-DCMAKE_C_COMPILER=clang-14 -DCMAKE_CXX_COMPILER=clang++-14"}) {
    // What is linked with heddle is only looked at.
    const Outcome built = shell("rm -rf build && cmake -S '" + kSources +
                                "' -B build -DCMAKE_BUILD_TYPE=Release -DCMAKE_PREFIX_PATH=\"$PWD/installed\" "
                                "-DCMAKE_EXE_LINKER_FLAGS=-Wl,--unresolved-symbols=ignore-all,--no-as-needed " +
                                compilers + " && cmake --build build");
    ASSERT_EQ(built.code, 0) << built.output;
    for (const char* name : {"alone", "optimized", "whole"}) {
      expect_instrumented(std::string("build/") + name);
      expect_output(std::string("build/") + name, name == std::string("whole") ? "42\n" : "all right\n");
    }
    EXPECT_THAT(shell("nm -D build/optimized").output, HasSubstr("__tsan_write8"));
    EXPECT_THAT(shell("nm -D build/plain").output, Not(HasSubstr("__tsan_")));
    EXPECT_THAT(libraries_of("build/exploring"), ElementsAre("libheddle.so", "libheddle_memory.so"));
    EXPECT_THAT(libraries_of("build/supported"), ElementsAre("libheddle.so", "libheddle_memory.so"));
  }
}

TEST_F(CompileWithCMake, LinksMachinesWithWhatWasInstalled) {
  write("CMakeLists.txt",
        "cmake_minimum_required(VERSION 3.16)\nproject(user LANGUAGES CXX)\nfind_package(heddle REQUIRED)\n"
        "add_executable(machines machines.cpp)\ntarget_link_libraries(machines heddle::actor)\n");
  write("machines.cpp", R"(
#include <heddle/actor.hpp>

#include <cstdio>

struct Hello {};

class Greeter : public heddle::Machine {
 public:
  struct Ready;
  static void declare(heddle::Declaration<Greeter>& is) { is.state<Ready>().start().on<Hello>(&Greeter::greet); }

 private:
  void greet() {
    std::puts("hello");
    halt();
  }
};

int main() {
  heddle::Runtime runtime;
  runtime.send(runtime.create<Greeter>(), Hello{});
  runtime.stop();
}
)");
  const Outcome built = shell("cmake -S . -B build -DCMAKE_PREFIX_PATH=\"$PWD/installed\" && cmake --build build");
  ASSERT_EQ(built.code, 0) << built.output;
  expect_output("build/machines", "hello\n");
}

TEST_F(CompileWithCMake, IsACompilerOfCMake) {
  write("CMakeLists.txt",
        "cmake_minimum_required(VERSION 3.16)\nproject(user LANGUAGES C CXX)\nfind_package(Threads REQUIRED)\n"
        "add_library(part SHARED part.c)\nadd_executable(program whole.cpp)\n"
        "target_link_libraries(program part Threads::Threads)\n");
  const Outcome built = shell(
      "cmake -S . -B build -DCMAKE_C_COMPILER=\"$PWD/installed/bin/heddle-cc\" "
      "-DCMAKE_CXX_COMPILER=\"$PWD/installed/bin/heddle-c++\" && cmake --build build");
  ASSERT_EQ(built.code, 0) << built.output;
  EXPECT_THAT(built.output, HasSubstr("The CXX compiler identification is "));
  expect_instrumented("build/program");
  expect_instrumented("build/libpart.so");
  expect_output("build/program", "42\n");
}

}  // namespace
}  // namespace heddle
