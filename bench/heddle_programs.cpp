// The programs of actor_programs.hpp for heddle.
#include <vector>

#include "actor_programs.hpp"
#include "figures.hpp"
#include "heddle/actor.hpp"

namespace bench {
namespace {

using heddle::Declaration;
using heddle::Machine;
using heddle::MachineId;

heddle::RuntimeOptions with(std::uint32_t threads) {
  heddle::RuntimeOptions options;
  options.threads = threads;
  return options;
}

struct Playing;

struct Ball {
  MachineId from;
  std::uint32_t round;
};

class Wall : public Machine {
 public:
  explicit Wall(std::uint32_t rounds) : rounds_(rounds) {}
  static void declare(Declaration<Wall>& is) { is.state<Playing>().start().on<Ball>(&Wall::answer); }

 private:
  void answer(const Ball& ball) {
    send(ball.from, Ball{self(), ball.round + 1});
    if (ball.round + 1 >= rounds_) halt();
  }
  std::uint32_t rounds_;
};

class Player : public Machine {
 public:
  Player(MachineId other, std::uint32_t rounds) : other_(other), rounds_(rounds) {}
  static void declare(Declaration<Player>& is) {
    is.state<Playing>().start().on_entry(&Player::serve).on<Ball>(&Player::again);
  }

 private:
  void serve() { send(other_, Ball{self(), 0}); }
  void again(const Ball& ball) {
    if (ball.round >= rounds_) return halt();
    send(ball.from, Ball{self(), ball.round});
  }
  MachineId other_;
  std::uint32_t rounds_;
};

struct Meet {
  MachineId who;
  std::uint32_t colour;
};
struct Change {
  std::uint32_t to;
};
struct Leave {};

class Mall : public Machine {
 public:
  explicit Mall(std::uint32_t meetings) : left_(meetings) {}
  static void declare(Declaration<Mall>& is) { is.state<Playing>().start().on<Meet>(&Mall::meet); }

 private:
  void meet(const Meet& meet) {
    if (left_ == 0) return send(meet.who, Leave{});
    if (!waiting_) {
      waiting_ = meet.who;
      return;
    }
    send(waiting_, meet);
    waiting_ = {};
    --left_;
  }
  std::uint32_t left_;
  MachineId waiting_;
};

class Creature : public Machine {
 public:
  Creature(MachineId where, std::uint32_t colour) : where_(where), colour_(colour) {}
  static void declare(Declaration<Creature>& is) {
    is.state<Playing>()
        .start()
        .on_entry(&Creature::ask)
        .on<Meet>(&Creature::meet)
        .on<Change>(&Creature::change)
        .on<Leave>(&Creature::leave);
  }

 private:
  void ask() { send(where_, Meet{self(), colour_}); }
  void meet(const Meet& other) {
    colour_ = (colour_ + other.colour) % 3;
    send(other.who, Change{colour_});
    ask();
  }
  void change(const Change& change) {
    colour_ = change.to;
    ask();
  }
  void leave() { halt(); }
  MachineId where_;
  std::uint32_t colour_;
};

struct Number {
  std::uint32_t value;
};
struct Go {};

class Receiver : public Machine {
 public:
  Receiver(std::uint32_t all, std::uint32_t units) : left_(all), units_(units) {}
  static void declare(Declaration<Receiver>& is) { is.state<Playing>().start().on<Number>(&Receiver::take); }

 private:
  void take() {
    work(units_);
    if (--left_ == 0) halt();
  }
  std::uint32_t left_;
  const std::uint32_t units_;
};

class Sender : public Machine {
 public:
  Sender(MachineId to, std::uint32_t each) : to_(to), left_(each) {}
  static void declare(Declaration<Sender>& is) {
    is.state<Playing>().start().on_entry(&Sender::again).on<Go>(&Sender::burst);
  }

 private:
  void again() { send(self(), Go{}); }
  void burst() {
    for (std::uint32_t i = 0; i < kBurst && left_ > 0; ++i) send(to_, Number{left_--});
    if (left_ == 0) return halt();
    again();
  }
  MachineId to_;
  std::uint32_t left_;
};

struct Next {
  MachineId id;
};
struct Token {
  std::uint32_t left;
};

class Member : public Machine {
 public:
  static void declare(Declaration<Member>& is) {
    is.state<Playing>().start().on<Next>(&Member::join).on<Token>(&Member::pass).on<Leave>(&Member::leave);
  }

 private:
  void join(const Next& next) { next_ = next.id; }
  void pass(const Token& token) {
    if (token.left > 0) return send(next_, Token{token.left - 1});
    send(next_, Leave{});
  }
  void leave() {  // the end goes round as well
    send(next_, Leave{});
    halt();
  }
  MachineId next_;
};

}  // namespace

double heddle_ping_pong(std::uint32_t threads, std::uint32_t rounds) {
  heddle::Runtime runtime(with(threads));
  return nanoseconds([&] {
    runtime.create<Player>(runtime.create<Wall>(rounds), rounds);
    runtime.wait();
  });
}

double heddle_chameneos(std::uint32_t threads, std::uint32_t meetings) {
  heddle::Runtime runtime(with(threads));
  return nanoseconds([&] {
    const MachineId where = runtime.create<Mall>(meetings);
    for (std::uint32_t i = 0; i < kCreatures; ++i) runtime.create<Creature>(where, i % 3);
    runtime.wait();
  });
}

double heddle_pairs(std::uint32_t threads, std::uint32_t rounds) {
  heddle::Runtime runtime(with(threads));
  return nanoseconds([&] {
    for (std::uint32_t i = 0; i < kPairs; ++i) runtime.create<Player>(runtime.create<Wall>(rounds), rounds);
    runtime.wait();
  });
}

double heddle_fan_in(std::uint32_t threads, std::uint32_t each) { return heddle_fan_in_work(threads, each, 0); }

double heddle_fan_in_work(std::uint32_t threads, std::uint32_t each, std::uint32_t units) {
  heddle::Runtime runtime(with(threads));
  return nanoseconds([&] {
    const MachineId to = runtime.create<Receiver>(kSenders * each, units);
    for (std::uint32_t i = 0; i < kSenders; ++i) runtime.create<Sender>(to, each);
    runtime.wait();
  });
}

RingTimes heddle_ring(std::uint32_t threads, std::uint32_t hops) {
  heddle::Runtime runtime(with(threads));
  RingTimes times{};
  std::vector<MachineId> ring;
  times.making_ns = nanoseconds([&] {
    for (std::uint32_t i = 0; i < kRing; ++i) ring.push_back(runtime.create<Member>());
    for (std::uint32_t i = 0; i < kRing; ++i) runtime.send(ring[i], Next{ring[(i + 1) % kRing]});
  });
  times.passing_ns = nanoseconds([&] {
    runtime.send(ring[0], Token{hops});
    runtime.wait();
  });
  return times;
}

}  // namespace bench
