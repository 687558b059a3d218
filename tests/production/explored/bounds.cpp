// Inboxes with room for one event: two machines in a circle and a thread outside wait for room. One that is not told of
// it is a deadlock.
// expect: nothing
#include "pool.hpp"

#include <cassert>

using heddle::MachineId;

struct Other {
  MachineId id;
};
struct Item {};
struct Playing;

class Flooder : public heddle::Machine {
 public:
  explicit Flooder(int& taken) : taken_(taken) {}
  static void declare(heddle::Declaration<Flooder>& is) {
    is.state<Playing>().start().on<Other>(&Flooder::flood).on<Item>(&Flooder::take);
  }

 private:
  void flood(const Other& other) {
    for (int i = 0; i < 2; ++i) send(other.id, Item{});
  }
  void take() { ++taken_; }
  int& taken_;
};

int main() {
  int taken[2] = {};
  heddle::RuntimeOptions options = two_threads();
  options.inbox_max = 1;
  Pool pool(options);
  const MachineId one = pool.create<Flooder>(taken[0]), other = pool.create<Flooder>(taken[1]);
  pool.send(one, Other{other});
  pool.send(other, Other{one});
  pool.send(one, Item{});
  pool.stop();
  assert(taken[0] == 3 && taken[1] == 2);
}
