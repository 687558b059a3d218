// What the strategies cost and find: the cost of a step relative to random's, and the programs of the QL paper
// (Mukherjee, Deligiannis, Biswas and Lal, OOPSLA 2020) next to its figures.
//
// Costs are the best of several rounds, with all strategies measured alternately. Shares and coverage use a fixed seed:
// they are the same on every machine.
#include <pthread.h>
#include <semaphore.h>

#include <algorithm>
#include <cstdint>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include <heddle/heddle.hpp>

#include "figures.hpp"

namespace {

heddle::Options quietly(const std::string& strategy, std::uint64_t executions) {
  heddle::Options options;
  options.strategy = strategy;
  options.executions = executions;
  options.output = heddle::Output::quiet;
  options.trace_directory.clear();
  return options;
}

// --- cost ------------------------------------------------------------------------------------------------------------

/// Four operations, two locks of their own each and one that all share.
void work() {
  constexpr int kRounds = 50;
  std::mutex shared;
  const auto run = [&] {
    std::mutex first, second;
    for (int i = 0; i < kRounds; ++i) {
      const std::lock_guard one(first);
      const std::lock_guard two(second);
      const std::lock_guard three(shared);
    }
  };
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i) threads.emplace_back(run);
  run();
  for (std::thread& thread : threads) thread.join();
}

double step_ns(const std::string& strategy) {
  constexpr std::uint64_t kExecutions = 500;  // so many that to begin an exploration does not count
  heddle::Result result;
  const double ns = bench::nanoseconds([&] { result = heddle::explore(work, quietly(strategy, kExecutions)); });
  return ns / static_cast<double>(result.steps);
}

void measure_costs(bench::Figures& figures) {
  constexpr int kRounds = 21;
  const std::vector<std::string> names = {"pct",  "pos",  "tapct", "urw",      "surw",   "sites",
                                          "sink", "ql",   "avoid", "bonus",    "greedy", "statedelay",
                                          "rff",  "fest", "maple", "portfolio"};
  bench::Best random;
  std::vector<bench::Best> costs(names.size());
  for (int round = 0; round < kRounds; ++round) {
    random.least(step_ns("random"));
    for (std::size_t i = 0; i < names.size(); ++i) costs[i].least(step_ns(names[i]));
  }
  figures.add("search/random_step", random.value(), "ns");
  for (std::size_t i = 0; i < names.size(); ++i)
    figures.add_ratio("search/cost_" + names[i] + "_over_random", costs[i].value() / random.value(),
                      "search/random_step");
  const auto cost = [&](const char* name) {
    return costs[static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin())].value();
  };
  for (const char* name : {"rff", "fest"})
    figures.add_ratio(std::string("search/cost_") + name + "_over_pos", cost(name) / cost("pos"), "search/random_step");
}

// --- a common start --------------------------------------------------------------------------------------------------

/// All begin together, each with one step: else one has a lead. (Who comes to a barrier last does not wait in it.)
class Gate {
 public:
  Gate() {
    sem_init(&ready_, 0, 0);
    pthread_rwlock_wrlock(&closed_);
  }
  ~Gate() { sem_destroy(&ready_); }
  void pass() {
    sem_post(&ready_);
    pthread_rwlock_rdlock(&closed_);  // nobody ever gives it back: that would be a step more
  }
  /// When so many stand before it.
  void open(std::size_t workers) {
    for (; workers > 0; --workers) sem_wait(&ready_);
    pthread_rwlock_unlock(&closed_);
  }

 private:
  sem_t ready_;
  pthread_rwlock_t closed_ = PTHREAD_RWLOCK_INITIALIZER;
};

// --- large choices ---------------------------------------------------------------------------------------------------

/// The cost of a step with so many operations that can go on, each of which does nothing but step.
double step_ns_with(std::size_t operations, const std::string& strategy) {
  constexpr std::size_t kStepsInAll = 40'000;
  const auto body = [&] {
    Gate gate;
    std::vector<std::thread> threads;
    for (std::size_t i = 0; i < operations; ++i)
      threads.emplace_back([&] {
        gate.pass();
        for (std::size_t j = 0; j < kStepsInAll / operations; ++j) heddle::step();
      });
    gate.open(operations);
    for (std::thread& thread : threads) thread.join();
  };
  heddle::Options options = quietly(strategy, 5);
  options.steps_max = 2 * kStepsInAll;
  heddle::Result result;
  const double ns = bench::nanoseconds([&] { result = heddle::explore(body, options); });
  return ns / static_cast<double>(result.steps);
}

void measure_large_choices(bench::Figures& figures) {
  for (const std::string strategy : {"random", "ql", "avoid"}) {
    std::vector<double> costs;
    for (const std::size_t operations : {10u, 100u, 1000u}) {
      bench::Best best;
      for (int round = 0; round < 3; ++round) best.least(step_ns_with(operations, strategy));
      costs.push_back(best.value());
      figures.add("scale/" + strategy + "_" + std::to_string(operations), best.value(), "ns");
    }
    figures.add_ratio("scale/" + strategy + "_1000_over_10", costs[2] / costs[0], "scale/" + strategy + "_10");
  }
}

// --- strings and numbers ---------------------------------------------------------------------------------------------

// To send is a scheduling point, and the one who receives takes a message at once: what it shows is then what the
// choice of who sends has led to.

/// Figure 1 of the paper: does the one who receives get exactly this string? It shows how much of it has matched.
class Match {
 public:
  explicit Match(std::string wanted) : wanted_(std::move(wanted)) {}
  void take(int message) {
    if (++taken_ > length()) return;
    if (matched_ >= 0) matched_ = message == wanted_[static_cast<std::size_t>(matched_)] - '0' ? matched_ + 1 : -1;
    heddle::observe(this, static_cast<std::uint64_t>(matched_ + 1));
  }
  int length() const { return static_cast<int>(wanted_.size()); }
  bool is_whole() const { return matched_ == length(); }

 private:
  std::string wanted_;
  int matched_ = 0;
  int taken_ = 0;
};

/// Workers 0 and 1 go on sending their digit; a third, if the string has a 2, sends it once. `by_value`: one worker
/// chooses which digit it sends.
double buggy_percent(const std::string& wanted, const std::string& strategy, std::uint64_t executions, bool by_value) {
  std::uint64_t buggy = 0;
  const auto body = [&] {
    Match match(wanted);
    const int length = match.length();
    const bool has_third = wanted.find('2') != std::string::npos;
    Gate gate;
    // To pass the gate is the scheduling point of what is sent first.
    const auto repeat = [&](int digit) {
      gate.pass();
      for (int i = 0; i < length; ++i) {
        if (i > 0) heddle::step();
        match.take(digit >= 0 ? digit : static_cast<int>(heddle::choose(2)));
      }
    };
    std::vector<std::thread> workers;
    if (by_value) {
      workers.emplace_back(repeat, -1);
    } else {
      workers.emplace_back(repeat, 0);
      workers.emplace_back(repeat, 1);
    }
    if (has_third)
      workers.emplace_back([&] {
        gate.pass();
        match.take(2);
      });
    gate.open(workers.size());
    for (std::thread& worker : workers) worker.join();
    buggy += match.is_whole();
  };
  const heddle::Result result = heddle::explore(body, quietly(strategy, executions));
  return 100.0 * static_cast<double>(buggy) / static_cast<double>(result.executions);
}

void measure_strings(bench::Figures& figures) {
  struct Row {
    const char* name;
    const char* wanted;
    bool by_value;
    double ql;  // the paper's percentages; negative: not given
    double random;
    double pct;
  };
  const Row rows[] = {
      {"string_1", "0000000001", false, 7.34, 0.08, 0.97},      {"string_2", "0101010101", false, 7.82, 0.08, 0},
      {"string_3", "0101010001", false, 7.07, 0.08, 0},         {"string_4", "20000000001", false, 1.7, 0.05, -1},
      {"string_5", "00000000012", false, 1.7, 0.003, 0.02},     {"string_6", "01010101012", false, 1.7, -1, 0},
      {"string_2_by_value", "0101010101", true, 7.82, 0.08, 0},
  };
  const auto both = [&](const std::string& name, double percent, double paper) {
    figures.add(name, percent, "%");
    if (paper >= 0) figures.add(name + "_in_paper", paper, "%");
  };
  for (const Row& row : rows) {
    const std::string name = std::string("search/") + row.name;
    both(name + "_ql", buggy_percent(row.wanted, "ql_custom", 10'000, row.by_value), row.ql);
    both(name + "_ql_divided", buggy_percent(row.wanted, "ql_custom:divide=1", 10'000, row.by_value), row.ql);
    both(name + "_random", buggy_percent(row.wanted, "random", 200'000, row.by_value), row.random);
    both(name + "_pct", buggy_percent(row.wanted, "pct", 200'000, row.by_value), row.pct);
  }
}

/// Figure 3 of the paper: five workers send a hundred messages each; how many of the 10,000 values does the calculator
/// have in 10,000 executions? A message has two scheduling points, as in P#, where it is sent and received.
///
/// The paper does not say with how many change points PCT ran: one and two are measured.
enum class Shows { value, nothing, value_and_count };

int calculated(int value, int operation) {
  constexpr int kLimit = 5000;
  const int results[] = {value + 1, value - 1, value * 2, value / 2, 0};
  return std::clamp(results[operation], -kLimit, kLimit);
}

constexpr std::size_t kCalculations = 10'000;  // executions

/// How many values had been seen after the last execution, the one before it, and so on: the curve of figure 4.
std::vector<std::size_t> calculator_values(const std::string& strategy, Shows shows) {
  constexpr int kMessages = 100;
  std::set<int> values;
  std::vector<std::size_t> after;
  const auto body = [&] {
    int value = 0;
    int taken = 0;
    const auto take = [&](int operation) {
      ++taken;
      value = calculated(value, operation);
      values.insert(value);
      const auto shown = static_cast<std::uint64_t>(value + 10'000);
      if (shows == Shows::value) heddle::observe(&value, shown);
      if (shows == Shows::value_and_count) heddle::observe(&value, shown * 1000 + static_cast<std::uint64_t>(taken));
    };
    std::vector<std::thread> workers;
    for (int operation = 0; operation < 5; ++operation)
      workers.emplace_back([&, operation] {
        for (int i = 0; i < kMessages; ++i) {
          heddle::step();
          heddle::step();
          take(operation);
        }
      });
    for (std::thread& worker : workers) worker.join();
    after.push_back(values.size());
  };
  (void)heddle::explore(body, quietly(strategy, kCalculations));
  std::reverse(after.begin(), after.end());
  return after;
}

void measure_calculator(bench::Figures& figures) {
  const auto add = [&](const std::string& name, const std::vector<std::size_t>& values, double paper) {
    for (const std::size_t executions : {1'000, 2'500, 5'000})
      figures.add("search/calculator_" + name + "_after_" + std::to_string(executions),
                  static_cast<double>(values[kCalculations - executions]), "values");
    figures.add("search/calculator_" + name, static_cast<double>(values.front()), "values");
    figures.add("search/calculator_" + name + "_in_paper", paper, "values");
  };
  add("ql", calculator_values("ql_custom", Shows::value), 10'000);
  add("ql_blind", calculator_values("ql_custom", Shows::nothing), 2'715);
  add("ql_with_useless_count", calculator_values("ql_custom", Shows::value_and_count), 1'693);
  add("ql_divided", calculator_values("ql_custom:divide=1", Shows::value), 10'000);
  add("ql_divided_blind", calculator_values("ql_custom:divide=1", Shows::nothing), 2'715);
  add("ql_divided_with_useless_count", calculator_values("ql_custom:divide=1", Shows::value_and_count), 1'693);
  add("random", calculator_values("random", Shows::nothing), 3'000);
  add("pct_depth_2", calculator_values("pct:depth=2", Shows::nothing), 3'000);
  add("pct_depth_3", calculator_values("pct:depth=3", Shows::nothing), 3'000);
}

}  // namespace

int main(int argc, char** argv) {
  bench::Figures figures;
  measure_costs(figures);
  measure_large_choices(figures);
  measure_strings(figures);
  measure_calculator(figures);
  return figures.write(argc, argv);
}
