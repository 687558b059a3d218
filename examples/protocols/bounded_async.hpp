// A bounded asynchronous scheduler: processes in a ring go through rounds together.
//
// In each round a process tells its two neighbours its count, asks the scheduler for the next round and waits. The
// scheduler answers all when all have asked, so nobody is more than a round ahead.
//
// Set-up: a scheduler, a ring of three processes, ten rounds. As in the P# paper (Deligiannis et al., PLDI 2015).
//
// Promise: what a process hears of a neighbour is its own count or one more, never less: all have told before anybody
// goes on.
// Bug: a process asks for the next round before it tells its count.
#pragma once

#include <cstddef>
#include <vector>

#include "heddle/actor.hpp"

namespace bounded_async {

using heddle::MachineId;

enum class Version { correct, asks_before_it_tells };

struct Configure {
  MachineId left, right;
};
struct Count {
  int count;
};
struct AskForNext {};
struct Next {};

struct Heard {
  int count;  // a neighbour's
  int own;
};

class NeighboursAreClose : public heddle::Monitor {
 public:
  struct Watching;
  static void declare(heddle::MonitorDeclaration<NeighboursAreClose>& is) {
    is.state<Watching>().start().on<Heard>(&NeighboursAreClose::heard);
  }

 private:
  void heard(const Heard& heard) {
    require(heard.count == heard.own || heard.count == heard.own + 1, "a process hears a count that is out of bounds");
  }
};

class Process : public heddle::Machine {
 public:
  Process(MachineId scheduler, Version version) : scheduler_(scheduler), version_(version) {}
  struct Starting;
  struct Running;
  static void declare(heddle::Declaration<Process>& is) {
    is.state<Starting>().start().defer<Count>().go_to<Running, Configure>(&Process::configure);
    is.state<Running>().on_entry(&Process::begin_round).on<Count>(&Process::hear).on<Next>(&Process::go_on);
  }

 private:
  void configure(const Configure& configure) { neighbours_ = {configure.left, configure.right}; }
  void begin_round() {
    ++count_;
    if (version_ == Version::asks_before_it_tells) send(scheduler_, AskForNext{});
    for (const MachineId neighbour : neighbours_) send(neighbour, Count{count_});
    if (version_ == Version::correct) send(scheduler_, AskForNext{});
  }
  void hear(const Count& heard) { tell<NeighboursAreClose>(Heard{heard.count, count_}); }
  void go_on() {
    constexpr int kRounds = 10;
    if (count_ < kRounds) go_to<Running>();
  }

  MachineId scheduler_;
  Version version_;
  std::vector<MachineId> neighbours_;
  int count_ = 0;
};

class Scheduler : public heddle::Machine {
 public:
  explicit Scheduler(Version version) : version_(version) {}
  struct Collecting;
  static void declare(heddle::Declaration<Scheduler>& is) {
    is.state<Collecting>().start().on_entry(&Scheduler::set_up).on<AskForNext>(&Scheduler::collect);
  }

 private:
  void set_up() {
    constexpr std::size_t kProcesses = 3;
    for (std::size_t i = 0; i < kProcesses; ++i) processes_.push_back(create<Process>(self(), version_));
    for (std::size_t i = 0; i < kProcesses; ++i)
      send(processes_[i], Configure{processes_[(i + kProcesses - 1) % kProcesses], processes_[(i + 1) % kProcesses]});
  }
  void collect() {
    if (++asked_ < processes_.size()) return;
    asked_ = 0;
    for (const MachineId process : processes_) send(process, Next{});
  }

  Version version_;
  std::vector<MachineId> processes_;
  std::size_t asked_ = 0;
};

inline void run(Version version) {
  heddle::Runtime runtime;
  runtime.add_monitor<NeighboursAreClose>();
  runtime.create<Scheduler>(version);
}

}  // namespace bounded_async
