// How the cost of a step grows with what a program has: operations that wait for one lock, operations that can all go
// on, readers of one variable, bytes of a block.
//
// Each figure is what one more step costs: the difference of two runs, so that making the threads does not count. A
// ratio compares two sizes measured alternately in the same run, each the best of several rounds.
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include <heddle/heddle.hpp>

#include "figures.hpp"

namespace {

using Work = void (*)(std::vector<std::mutex>& locks, int self, int rounds);

/// Every operation wants the one lock.
void contend(std::vector<std::mutex>& locks, int, int rounds) {
  for (int i = 0; i < rounds; ++i) {
    locks[0].lock();
    locks[0].unlock();
  }
}

/// Every operation has a lock of its own, so all can always go on.
void stay_apart(std::vector<std::mutex>& locks, int self, int rounds) {
  std::mutex& own = locks[static_cast<std::size_t>(self)];
  for (int i = 0; i < rounds; ++i) {
    own.lock();
    own.unlock();
  }
}

heddle::Body body(Work work, int threads, int rounds) {
  return [=] {
    std::vector<std::mutex> locks(static_cast<std::size_t>(threads));
    std::vector<std::thread> all;
    for (int i = 0; i < threads; ++i) all.emplace_back([&, i] { work(locks, i, rounds); });
    for (std::thread& thread : all) thread.join();
  };
}

struct Taken {
  double ns;
  double steps;
};

Taken run(Work work, int threads, int rounds, const std::string& strategy, std::uint64_t executions) {
  heddle::Options options;
  options.strategy = strategy;
  options.executions = executions;
  options.steps_max = 100'000'000;
  options.output = heddle::Output::quiet;
  options.trace_directory.clear();
  heddle::Result result;
  const double ns = bench::nanoseconds([&] { result = heddle::explore(body(work, threads, rounds), options); });
  return {ns, static_cast<double>(result.steps)};
}

/// What one more step costs: a short run and a long one, each the best of several rounds.
class Step {
 public:
  Step(Work work, int threads, const char* strategy = "random", std::uint64_t executions = 3, int steps = 40'000)
      : work_(work), threads_(threads), strategy_(strategy), executions_(executions), rounds_(steps / (2 * threads)) {}

  void measure() {
    const Taken few = run(work_, threads_, 1, strategy_, executions_);
    const Taken many = run(work_, threads_, 1 + rounds_, strategy_, executions_);
    few_.least(few.ns);
    many_.least(many.ns);
    steps_ = many.steps - few.steps;
  }

  /// heddle makes one more execution than it counts.
  double ns() const {
    const auto counted = static_cast<double>(executions_);
    return (many_.value() - few_.value()) / steps_ * counted / (counted + 1);
  }

 private:
  Work work_;
  int threads_;
  const char* strategy_;
  std::uint64_t executions_;
  int rounds_;
  bench::Best few_, many_;
  double steps_ = 0;  // that the longer run takes more; the same in every round, up to what is left of an execution
};

/// The numbers that an instrumented program prints.
template <std::size_t kCount>
void read_figures(const char* program, double (&figures)[kCount]) {
  std::FILE* const from = popen((std::string(HEDDLE_BENCH_INSTRUMENTED) + "/" + program).c_str(), "r");
  for (double& figure : figures)
    if (from == nullptr || std::fscanf(from, "%lf", &figure) != 1) std::exit(1);
  if (pclose(from) != 0) std::exit(1);
}

}  // namespace

int main(int argc, char** argv) {
  constexpr int kRounds = 7;
  constexpr std::uint64_t kTurns = 32;  // one for each member of the portfolio, and the largest shares again
  Step contended[] = {{contend, 2}, {contend, 10}, {contend, 100}, {contend, 1000}, {contend, 2500}};
  Step random[] = {{stay_apart, 10}, {stay_apart, 1000}};
  Step pct[] = {{stay_apart, 10, "pct"}, {stay_apart, 1000, "pct"}};
  Step sites[] = {{stay_apart, 10, "sites"}, {stay_apart, 1000, "sites"}};
  Step portfolio[] = {{contend, 10, "portfolio", kTurns, 8'000}, {contend, 1000, "portfolio", kTurns, 8'000}};
  for (int round = 0; round < kRounds; ++round) {
    for (Step& step : contended) step.measure();
    for (Step& step : random) step.measure();
    for (Step& step : pct) step.measure();
    for (Step& step : sites) step.measure();
    if (round % 3 == 0)
      for (Step& step : portfolio) step.measure();
  }
  double shared[4], plain[2], explored[2];  // see bench/instrumented
  read_figures("shared", shared);
  read_figures("blocks_plain", plain);
  read_figures("blocks", explored);

  bench::Figures figures;
  figures.add("scale/contended_2", contended[0].ns(), "ns");
  figures.add("scale/contended_100", contended[2].ns(), "ns");
  figures.add("scale/contended_2500", contended[4].ns(), "ns");
  const auto ratio = [&](const std::string& name, double many, const std::string& to, double few) {
    figures.add(to, few, "ns");
    figures.add_ratio(name, many / few, to);
  };
  ratio("scale/contended_1000_over_10", contended[3].ns(), "scale/contended_10", contended[1].ns());
  ratio("scale/random_1000_over_10", random[1].ns(), "scale/random_10", random[0].ns());
  ratio("scale/pct_1000_over_10", pct[1].ns(), "scale/pct_10", pct[0].ns());
  ratio("scale/sites_1000_over_10", sites[1].ns(), "scale/sites_10", sites[0].ns());
  ratio("scale/portfolio_1000_over_10", portfolio[1].ns(), "scale/portfolio_10", portfolio[0].ns());
  ratio("scale/shared_read_1000_over_16", shared[1], "scale/shared_read_16", shared[0]);
  ratio("scale/shared_load_1000_over_16", shared[3], "scale/shared_load_16", shared[2]);
  ratio("scale/malloc_64k_over_plain", explored[0], "scale/malloc_64k_plain", plain[0]);
  ratio("scale/malloc_4k_over_plain", explored[1], "scale/malloc_4k_plain", plain[1]);
  return figures.write(argc, argv);
}
