// A thread aborts what another is stopping, while a third sends and a machine halts: every event is handled or dropped.
// expect: nothing
#include "pool.hpp"

#include <cassert>
#include <thread>

using heddle::MachineId;

struct Item {};
struct Playing;

class Once : public heddle::Machine {
 public:
  static void declare(heddle::Declaration<Once>& is) { is.state<Playing>().start().on<Item>(&Once::take); }

 private:
  void take() { halt(); }
};

int main() {
  Pool pool(two_threads());
  const MachineId one = pool.create<Once>(), other = pool.create<Once>();
  std::thread sender([&] {
    for (int i = 0; i < 2; ++i) {
      pool.send(one, Item{});
      pool.send(other, Item{});
    }
  });
  std::thread aborting([&] { pool.abort(); });
  pool.stop();
  sender.join();
  aborting.join();
  const heddle::Metrics metrics = pool.metrics();
  assert(metrics.events_sent == 4);
  assert(metrics.events_handled + metrics.events_dropped == 4);
}
