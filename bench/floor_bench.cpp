// An execution under heddle against the floor (floor.hpp): the same program on bare contexts that record and check
// nothing. Best of several rounds, measured alternately.
#include <cstdint>
#include <string>

#include <heddle/heddle.hpp>

#include "figures.hpp"
#include "kernel_programs.hpp"

namespace {

constexpr int kRounds = 25;

struct Program {
  std::string name;
  void (*under_heddle)();
  void (*on_floor)();
  std::uint64_t executions;  // a round: some 20 ms
};

double heddle_ns(const Program& program) {
  heddle::Options options;
  options.strategy = "random";
  options.executions = program.executions;
  options.points = "sync";  // those of the floor; by default some executions have points after releases as well
  options.output = heddle::Output::quiet;
  options.trace_directory.clear();
  const double ns = bench::nanoseconds([&] { (void)heddle::explore(program.under_heddle, options); });
  return ns / static_cast<double>(program.executions);
}

double floor_ns(const Program& program) {
  const double ns = bench::nanoseconds([&] {
    for (std::uint64_t i = 0; i < program.executions; ++i) bench::Floor::floor.run(program.on_floor);
  });
  return ns / static_cast<double>(program.executions);
}

void measure(const Program& program, bench::Figures& figures) {
  bench::Best heddle, floor;
  for (int round = 0; round < kRounds; ++round) {
    floor.least(floor_ns(program));
    heddle.least(heddle_ns(program));
  }
  const std::string base = "kernel/" + program.name + "_floor_per_s";
  figures.add(base, 1e9 / floor.value(), "executions/s");
  figures.add("kernel/" + program.name + "_heddle_per_s", 1e9 / heddle.value(), "executions/s");
  figures.add_ratio("kernel/" + program.name + "_over_floor", heddle.value() / floor.value(), base);
}

}  // namespace

int main(int argc, char** argv) {
  using bench::OnFloor;
  using bench::Standard;
  bench::pin_to_one_processor();
  const Program programs[] = {
      {"lock3", bench::lock3<Standard>, bench::lock3<OnFloor>, 20'000},
      {"phil5", bench::phil5<Standard>, bench::phil5<OnFloor>, 8'000},
      {"ping", bench::ping<Standard>, bench::ping<OnFloor>, 300},
  };
  bench::Figures figures;
  for (const Program& program : programs) measure(program, figures);
  return figures.write(argc, argv);
}
