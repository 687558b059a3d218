// What every benchmark needs: a stopwatch, the best of several rounds, and figures as JSON.
#pragma once

#include <sched.h>

#include <chrono>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

namespace bench {

template <typename Function>
double nanoseconds(const Function& function) {
  const auto start = std::chrono::steady_clock::now();
  function();
  return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - start).count();
}

/// For what runs on one: moving to another would cost it its caches.
inline void pin_to_one_processor() {
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(sched_getcpu(), &one);
  sched_setaffinity(0, sizeof one, &one);
}

/// The best round: the one that the rest of the machine disturbed least.
class Best {
 public:
  void least(double value) { keep(value, value < value_); }
  void most(double value) { keep(value, value > value_); }
  double value() const { return value_; }

 private:
  void keep(double value, bool is_better) {
    if (!any_ || is_better) value_ = value;
    any_ = true;
  }

  double value_ = 0;
  bool any_ = false;
};

class Figures {
 public:
  void add(std::string name, double value, std::string unit) { rows_.push_back({name, value, unit, ""}); }
  void add_ratio(std::string name, double value, std::string to) { rows_.push_back({name, value, "ratio", to}); }

  /// To the file that `--json FILE` names; without it, as lines on the standard output. The exit code of the program.
  int write(int argc, char** argv) const {
    if (argc == 3 && std::strcmp(argv[1], "--json") == 0) return write_json(argv[2]);
    for (const Row& row : rows_)
      std::printf("%-40s %14.3f %s %s\n", row.name.c_str(), row.value, row.unit.c_str(), row.to.c_str());
    return 0;
  }

 private:
  struct Row {
    std::string name;
    double value;
    std::string unit;
    std::string to;  // of a ratio: to what
  };

  int write_json(const char* path) const {
    std::FILE* file = std::fopen(path, "w");
    if (file == nullptr) {
      std::fprintf(stderr, "cannot write %s\n", path);
      return 1;
    }
    std::fputs("[", file);
    for (const Row& row : rows_) {
      std::fprintf(file, "%s\n  {\"name\": \"%s\", \"value\": %.6g, \"unit\": \"%s\"", &row == rows_.data() ? "" : ",",
                   row.name.c_str(), row.value, row.unit.c_str());
      if (!row.to.empty()) std::fprintf(file, ", \"to\": \"%s\"", row.to.c_str());
      std::fputs("}", file);
    }
    std::fputs("\n]\n", file);
    return std::fclose(file) == 0 ? 0 : 1;
  }

  std::vector<Row> rows_;
};

}  // namespace bench
