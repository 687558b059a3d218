// The ring of a worker (src/actor/production): its owner puts and takes, another steals, and each machine is run once,
// by one who sees what was written before it was put. It is so small that places are used again.
// expect: nothing
#include "actor/production/ring.hpp"

#include <cassert>
#include <thread>

using heddle::actor::Ring;

constexpr int kMachines = 6;

struct Machine {
  int runs;  // plain: two that run it are a race
};

Machine machines[kMachines];
Ring<Machine, 4> mine, stolen;

void run(Machine* machine) {
  if (machine != nullptr) ++machine->runs;
}

void steal() {
  for (int i = 0; i < 2; ++i) {
    run(mine.steal(stolen));
    run(stolen.take());
  }
}

int main() {
  std::thread thief(steal);
  for (Machine& machine : machines) {
    ++machine.runs;
    while (!mine.put(&machine)) run(mine.take());
  }
  while (Machine* machine = mine.take()) run(machine);
  thief.join();
  for (const Machine& machine : machines) assert(machine.runs == 2);
}
