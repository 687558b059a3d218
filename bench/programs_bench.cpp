// The cost of whole programs: each isolation against the next, and running free against running without heddle.
//
// The cost of an execution is the difference between a long and a short run, divided by the difference in executions,
// so startup does not count. Best of several rounds; the two sides of a ratio are measured alternately.
#include <fcntl.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "figures.hpp"

extern char** environ;

namespace {

void run(const std::vector<std::string>& words) {
  std::vector<char*> pointers;
  for (const std::string& word : words) pointers.push_back(const_cast<char*>(word.c_str()));
  pointers.push_back(nullptr);
  posix_spawn_file_actions_t quiet;
  posix_spawn_file_actions_init(&quiet);
  posix_spawn_file_actions_addopen(&quiet, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  pid_t child = 0;
  int status = -1;
  if (posix_spawn(&child, pointers[0], &quiet, nullptr, pointers.data(), environ) == 0) waitpid(child, &status, 0);
  posix_spawn_file_actions_destroy(&quiet);
  if (status == 0) return;
  std::fprintf(stderr, "%s did not end well\n", words[0].c_str());
  std::exit(1);
}

std::string program(const char* name) { return std::string(HEDDLE_BENCH_PROGRAMS) + "/" + name; }

double explore_ns(const char* name, const char* isolation, int executions) {
  return bench::nanoseconds([&] {
    run({HEDDLE_COMMAND_PATH, "run", "--strategy", "random", "--isolation", isolation, "--executions",
         std::to_string(executions), "--", program(name)});
  });
}

/// The processor time that children which have ended used.
double processor_ns() {
  rusage used{};
  getrusage(RUSAGE_CHILDREN, &used);
  const auto ns = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) * 1e9 + static_cast<double>(time.tv_usec) * 1e3;
  };
  return ns(used.ru_utime) + ns(used.ru_stime);
}

/// A system call of the program's own, in processor time: it is to be bounded, and nothing is there to divide it by.
double raw_call_ns() {
  constexpr int kExecutions = 500;
  constexpr int kCalls = 1000;  // in an execution of raw_calls
  const double before = processor_ns();
  explore_ns("raw_calls", "rewind", kExecutions);
  return (processor_ns() - before) / kExecutions / kCalls;
}

/// What one more execution of a program costs.
class Execution {
 public:
  Execution(const char* name, const char* isolation, int executions)
      : name_(name), isolation_(isolation), executions_(executions) {}

  void measure() {
    few_.least(explore_ns(name_, isolation_, kFew));
    many_.least(explore_ns(name_, isolation_, kFew + executions_));
  }
  double ns() const { return (many_.value() - few_.value()) / executions_; }

 private:
  static constexpr int kFew = 2;

  const char* name_;
  const char* isolation_;
  int executions_;
  bench::Best few_, many_;
};

double bare_fork_ns() {
  constexpr int kForks = 500;
  return bench::nanoseconds([] {
           for (int i = 0; i < kForks; ++i) {
             const pid_t child = fork();
             if (child == 0) _exit(0);
             waitpid(child, nullptr, 0);
           }
         }) /
         kForks;
}

}  // namespace

int main(int argc, char** argv) {
  constexpr int kRounds = 5;
  bench::Best bare_fork, alone, free_run, raw_call;
  Execution forked("small", "fork", 500);
  Execution rewound("small", "rewind", 20'000);
  Execution large_forked("large_heap", "fork", 40);
  Execution large_prefixed("large_heap", "prefix", 500);
  Execution image_forked("large_image", "fork", 100);
  Execution image_rewound("large_image", "rewind", 2'000);
  for (int round = 0; round < kRounds; ++round) {
    bare_fork.least(bare_fork_ns());
    for (Execution* execution : {&forked, &rewound, &large_forked, &large_prefixed, &image_forked, &image_rewound})
      execution->measure();
    raw_call.least(raw_call_ns());
    alone.least(bench::nanoseconds([] { run({program("busy")}); }));
    free_run.least(bench::nanoseconds([] { run({HEDDLE_COMMAND_PATH, "run", "--free", "--", program("busy")}); }));
  }
  bench::Figures figures;
  figures.add("programs/bare_fork", bare_fork.value() * 1e-3, "us");
  figures.add("programs/fork", forked.ns() * 1e-3, "us");
  figures.add_ratio("programs/fork_over_bare_fork", bare_fork.value() / forked.ns(), "programs/bare_fork");
  figures.add("programs/rewind", rewound.ns() * 1e-3, "us");
  figures.add_ratio("programs/rewind_over_fork", forked.ns() / rewound.ns(), "programs/fork");
  figures.add("programs/large_fork", large_forked.ns() * 1e-3, "us");
  figures.add("programs/large_prefix", large_prefixed.ns() * 1e-3, "us");
  figures.add_ratio("programs/prefix_over_fork", large_forked.ns() / large_prefixed.ns(), "programs/large_fork");
  figures.add("programs/image_fork", image_forked.ns() * 1e-3, "us");
  figures.add("programs/image_rewind", image_rewound.ns() * 1e-3, "us");
  figures.add_ratio("programs/image_rewind_over_fork", image_forked.ns() / image_rewound.ns(), "programs/image_fork");
  figures.add("programs/raw_call", raw_call.value() * 1e-3, "us");
  figures.add("programs/alone", alone.value() * 1e-6, "ms");
  figures.add_ratio("programs/free_slowdown", free_run.value() / alone.value(), "programs/alone");
  return figures.write(argc, argv);
}
