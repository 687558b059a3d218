// Chameneos: creatures meet in pairs and change colour. Kaiser and Pradat-Peyre, "Chameneos, a concurrency game", 2003.
//
// A creature that wants to meet another asks the mall. The mall keeps the first one waiting, brings it together with
// the second, and closes after a number of meetings. Two of one colour stay as they are; of two colours both take the
// third.
//
// Set-up: a mall, four creatures of the colours blue, red, yellow and blue, six meetings. A benchmark of the P# paper
// (Deligiannis et al., PLDI 2015), which took it from SOTER.
//
// Promise: every meeting that the mall arranges takes place for both.
// Bug: the mall lets a creature go that has waited for long, but still remembers it as waiting. If that one stays away,
// whoever comes next meets nobody.
#pragma once

#include <cstdint>

#include "heddle/actor.hpp"

namespace chameneos {

using heddle::MachineId;

enum class Version { correct, remembers_who_left };

enum class Colour : std::uint8_t { blue, red, yellow };

inline Colour complement(Colour a, Colour b) {
  if (a == b) return a;
  return static_cast<Colour>(3 - static_cast<int>(a) - static_cast<int>(b));
}

struct Arrive {
  MachineId creature;
  Colour colour;
};
struct Impatient {
  MachineId creature;
};
struct Meet {
  Colour other;
};
struct ComeAgain {};
struct Closed {};

struct PairMade {};
struct Met {};

class EveryMeetingIsOfTwo : public heddle::Monitor {
 public:
  struct Even;
  struct Odd;
  static void declare(heddle::MonitorDeclaration<EveryMeetingIsOfTwo>& is) {
    is.state<Even>().start().cold().go_to<Odd, PairMade>(&EveryMeetingIsOfTwo::pair);
    is.state<Odd>().hot().on<PairMade>(&EveryMeetingIsOfTwo::pair).on<Met>(&EveryMeetingIsOfTwo::met);
  }

 private:
  void pair() { owed_ += 2; }
  void met() {
    if (--owed_ == 0) go_to<Even>();
  }
  int owed_ = 0;  // creatures that were paired and have not met yet
};

class Creature : public heddle::Machine {
 public:
  Creature(MachineId mall, Colour colour) : mall_(mall), colour_(colour) {}
  struct Outside;
  struct Waiting;
  static void declare(heddle::Declaration<Creature>& is) {
    is.state<Outside>().start().on_entry(&Creature::arrive);
    is.state<Waiting>().on<Meet>(&Creature::meet).on<ComeAgain>(&Creature::come_again).on<Closed>(&Creature::leave);
  }

 private:
  void arrive() {
    send(mall_, Arrive{self(), colour_});
    if (choose_bool()) send(mall_, Impatient{self()});
    go_to<Waiting>();
  }
  void meet(const Meet& meeting) {
    tell<EveryMeetingIsOfTwo>(Met{});
    colour_ = complement(colour_, meeting.other);
    go_to<Outside>();
  }
  void come_again() {
    if (--patience_ > 0)
      go_to<Outside>();
    else
      halt();
  }
  void leave() { halt(); }

  MachineId mall_;
  Colour colour_;
  int patience_ = 2;  // after so many visits in vain it stays away
};

class Mall : public heddle::Machine {
 public:
  explicit Mall(Version version) : version_(version) {}
  struct Open;
  static void declare(heddle::Declaration<Mall>& is) {
    is.state<Open>().start().on_entry(&Mall::open).on<Arrive>(&Mall::welcome).on<Impatient>(&Mall::let_go);
  }

 private:
  void open() {
    for (const Colour colour : {Colour::blue, Colour::red, Colour::yellow, Colour::blue})
      create<Creature>(self(), colour);
  }

  void welcome(const Arrive& arrive) {
    if (meetings_left_ == 0) return send(arrive.creature, Closed{});
    if (!waiting_.creature) {
      waiting_ = arrive;
      return;
    }
    --meetings_left_;
    tell<EveryMeetingIsOfTwo>(PairMade{});
    send(arrive.creature, Meet{waiting_.colour});
    send(waiting_.creature, Meet{arrive.colour});
    waiting_ = {};
  }

  void let_go(const Impatient& impatient) {
    if (waiting_.creature != impatient.creature) return;  // it has met somebody meanwhile
    send(impatient.creature, ComeAgain{});
    if (version_ == Version::correct) waiting_ = {};
  }

  Version version_;
  int meetings_left_ = 6;
  Arrive waiting_{};  // if there is a creature
};

inline void run(Version version) {
  heddle::Runtime runtime;
  runtime.add_monitor<EveryMeetingIsOfTwo>();
  runtime.create<Mall>(version);
}

}  // namespace chameneos
