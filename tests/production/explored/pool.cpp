// The pool of threads: its workers, their sleep and the end. A wake that is lost is a deadlock.
// expect: nothing
#include "pool.hpp"

#include <cassert>

using heddle::MachineId;

struct Ball {
  MachineId from;
  int left;
};
struct Playing;

class Player : public heddle::Machine {
 public:
  explicit Player(int& played) : played_(played) {}
  static void declare(heddle::Declaration<Player>& is) { is.state<Playing>().start().on<Ball>(&Player::play); }

 private:
  void play(const Ball& ball) {
    ++played_;
    if (ball.left > 0) send(ball.from, Ball{self(), ball.left - 1});
  }
  int& played_;  // plain: two threads in one machine, or a wait that comes back early, are a race
};

int main() {
  int played[4] = {};
  MachineId ids[4];
  Pool pool(two_threads());
  for (int i = 0; i < 4; ++i) ids[i] = pool.create<Player>(played[i]);
  pool.send(ids[0], Ball{ids[1], 2});
  pool.send(ids[2], Ball{ids[3], 1});
  pool.wait();
  assert(played[0] == 2 && played[1] == 1 && played[2] == 1 && played[3] == 1);
  pool.send(ids[3], Ball{ids[0], 1});  // to workers that sleep
  pool.stop();
  assert(played[0] == 3 && played[3] == 2);
}
