// Pi by several workers: the area under 4 / (1 + x²) between 0 and 1, cut into strips.
//
// A master gives each worker its share of the strips; a worker sends what it has summed up, in two parts, and the
// master adds them up.
//
// Set-up: a master, three workers, 12 strips. A benchmark of the P# paper (Deligiannis et al., PLDI 2015), which took
// it from SOTER; neither describes it, so this is its common form.
//
// Promise: what the master reports is the sum of all strips.
// Bug: the master takes the first parts that come for the parts of different workers, and reports after as many as
// there are workers.
#pragma once

#include <cmath>

#include "heddle/actor.hpp"

namespace pi {

using heddle::MachineId;

enum class Version { correct, counts_parts_as_workers };

inline constexpr int kStrips = 12;

/// The sum of the strips first, first + step, … below last.
inline double area(int first, int last, int step) {
  double sum = 0;
  for (int i = first; i < last; i += step) {
    const double x = (i + 0.5) / kStrips;
    sum += 4 / (1 + x * x) / kStrips;
  }
  return sum;
}

struct Part {
  double area;
  bool is_last;  // of its worker
};

struct Reported {
  double pi;
};

class IsPi : public heddle::Monitor {
 public:
  struct Waiting;
  struct Content;
  static void declare(heddle::MonitorDeclaration<IsPi>& is) {
    is.state<Waiting>().start().hot().go_to<Content, Reported>(&IsPi::check);
    is.state<Content>().cold();
  }

 private:
  void check(const Reported& now) {
    require(std::abs(now.pi - area(0, kStrips, 1)) < 1e-9, "the area that was reported lacks some strips");
  }
};

class Worker : public heddle::Machine {
 public:
  Worker(MachineId master, int first, int step) : master_(master), first_(first), step_(step) {}
  struct Working;
  static void declare(heddle::Declaration<Worker>& is) { is.state<Working>().start().on_entry(&Worker::work); }

 private:
  void work() {
    const int half = first_ + kStrips / 2;
    send(master_, Part{area(first_, half, step_), false});
    send(master_, Part{area(half, kStrips, step_), true});
    halt();
  }
  MachineId master_;
  int first_;
  int step_;
};

class Master : public heddle::Machine {
 public:
  explicit Master(Version version) : version_(version) {}
  struct Adding;
  struct Reporting;
  static void declare(heddle::Declaration<Master>& is) {
    is.state<Adding>().start().on_entry(&Master::set_up).on<Part>(&Master::add);
    is.state<Reporting>().on_entry(&Master::report).ignore<Part>();
  }

 private:
  static constexpr int kWorkers = 3;

  void set_up() {
    for (int i = 0; i < kWorkers; ++i) create<Worker>(self(), i, kWorkers);
  }
  void add(const Part& part) {
    sum_ += part.area;
    if (part.is_last || version_ == Version::counts_parts_as_workers) ++done_;
    if (done_ == kWorkers) go_to<Reporting>();
  }
  void report() { tell<IsPi>(Reported{sum_}); }

  Version version_;
  double sum_ = 0;
  int done_ = 0;
};

inline void run(Version version) {
  heddle::Runtime runtime;
  runtime.add_monitor<IsPi>();
  runtime.create<Master>(version);
}

}  // namespace pi
