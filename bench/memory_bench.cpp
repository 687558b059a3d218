// The cost of instrumented memory accesses: the same instrumented objects under heddle and under ThreadSanitizer, and a
// scheduling point at an atomic against one at a lock.
//
// Processor time and memory are those of the computing process, as the kernel counts them; under heddle that is one
// execution, with the exploring process. Best of several rounds, measured alternately.
#include <fcntl.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "figures.hpp"

extern char** environ;

namespace {

struct Cost {
  bench::Best seconds;
  bench::Best kilobytes;
};

std::string program(const char* name) { return std::string(HEDDLE_BENCH_INSTRUMENTED) + "/" + name; }

double seconds_of(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
}

/// In a process of its own, so that the kernel's sums are of this run alone.
void measure(const std::vector<std::string>& words, Cost& cost) {
  int channel[2];
  if (pipe(channel) != 0) std::exit(1);
  const pid_t child = fork();
  if (child == 0) {
    std::vector<char*> pointers;
    for (const std::string& word : words) pointers.push_back(const_cast<char*>(word.c_str()));
    pointers.push_back(nullptr);
    posix_spawn_file_actions_t quiet;
    posix_spawn_file_actions_init(&quiet);
    posix_spawn_file_actions_addopen(&quiet, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    pid_t measured = 0;
    int status = -1;
    if (posix_spawn(&measured, pointers[0], &quiet, nullptr, pointers.data(), environ) != 0) _exit(1);
    waitpid(measured, &status, 0);
    rusage used{};
    getrusage(RUSAGE_CHILDREN, &used);
    if (status != 0 || write(channel[1], &used, sizeof used) != sizeof used) _exit(1);
    _exit(0);
  }
  rusage used{};
  int status = -1;
  close(channel[1]);
  const bool told = read(channel[0], &used, sizeof used) == sizeof used;
  close(channel[0]);
  waitpid(child, &status, 0);
  if (!told || status != 0) {
    std::fprintf(stderr, "%s did not end well\n", words[0].c_str());
    std::exit(1);
  }
  cost.seconds.least(seconds_of(used.ru_utime) + seconds_of(used.ru_stime));
  cost.kilobytes.least(static_cast<double>(used.ru_maxrss));
}

void measure_both(const char* threads, const char* rounds, Cost& heddle, Cost& tsan) {
  measure({HEDDLE_COMMAND_PATH, "run", "--isolation", "fork", "-n", "1", "--", program("compute"), threads, rounds},
          heddle);
  measure({program("compute_tsan"), threads, rounds}, tsan);
}

/// What the program prints.
std::pair<double, double> two_figures(const char* name) {
  double first = 0, second = 0;
  std::FILE* const output = popen(program(name).c_str(), "r");
  if (output == nullptr || std::fscanf(output, "%lf %lf", &first, &second) != 2 || pclose(output) != 0) {
    std::fprintf(stderr, "%s did not end well\n", name);
    std::exit(1);
  }
  return {first, second};
}

}  // namespace

int main(int argc, char** argv) {
  constexpr int kRounds = 3;
  Cost single, single_tsan, four, four_tsan;
  for (int round = 0; round < kRounds; ++round) {
    measure_both("0", "60", single, single_tsan);
    measure_both("4", "15", four, four_tsan);
  }
  const auto [at_lock, at_atomic] = two_figures("points");
  const auto [stack_ns, stack_floor_ns] = two_figures("stack3");
  bench::Figures figures;
  figures.add("memory/single_tsan", single_tsan.seconds.value(), "s");
  figures.add_ratio("memory/single_over_tsan", single.seconds.value() / single_tsan.seconds.value(),
                    "memory/single_tsan");
  figures.add("memory/four_threads_tsan", four_tsan.seconds.value(), "s");
  figures.add_ratio("memory/four_threads_over_tsan", four.seconds.value() / four_tsan.seconds.value(),
                    "memory/four_threads_tsan");
  figures.add("memory/rss_tsan", four_tsan.kilobytes.value() / 1024, "MiB");
  figures.add_ratio("memory/rss_over_tsan", four.kilobytes.value() / four_tsan.kilobytes.value(), "memory/rss_tsan");
  figures.add("memory/lock_point", at_lock, "ns");
  figures.add_ratio("memory/atomic_point_over_lock_point", at_atomic / at_lock, "memory/lock_point");
  figures.add("memory/stack3_floor_per_s", 1e9 / stack_floor_ns, "executions/s");
  figures.add("memory/stack3_heddle_per_s", 1e9 / stack_ns, "executions/s");
  figures.add_ratio("memory/stack3_over_floor", stack_ns / stack_floor_ns, "memory/stack3_floor_per_s");
  return figures.write(argc, argv);
}
