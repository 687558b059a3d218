// Machines that halt and go while others write to them, and others that get their addresses.
// expect: nothing
#include "pool.hpp"

#include <cassert>
#include <thread>

using heddle::MachineId;

struct Letter {
  std::uint32_t to;
};
struct Leave {};
struct Staying;

class Lodger : public heddle::Machine {
 public:
  static void declare(heddle::Declaration<Lodger>& is) {
    is.state<Staying>().start().on<Letter>(&Lodger::read).on<Leave>(&Lodger::leave);
  }

 private:
  void read(const Letter& letter) { assert(letter.to == self().number()); }
  void leave(const Leave&) { halt(); }
};

int main() {
  Pool pool(two_threads());
  const MachineId first = pool.create<Lodger>();
  std::thread writer([&] { pool.send(first, Letter{1}); });
  pool.send(first, Leave{});
  const MachineId second = pool.create<Lodger>();
  pool.send(second, Letter{2});
  writer.join();
  pool.send(second, Leave{});
  pool.wait();
  const heddle::Metrics metrics = pool.metrics();
  assert(metrics.machines_created == 2 && metrics.machines_halted == 2);
  assert(metrics.events_sent == 4 && metrics.events_handled + metrics.events_dropped == 4);
  pool.stop();
}
