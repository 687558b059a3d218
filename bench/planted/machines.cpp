#include "machines.hpp"

#include <array>
#include <utility>

#include <heddle/actor.hpp>
#include <heddle/heddle.hpp>

#include "program.hpp"

namespace planted {
namespace {

using heddle::MachineId;

struct Begin {
  const Protocol* protocol;
  const std::vector<MachineId>* all;  // the last is the judge
  std::size_t self;
};
struct Next {};
struct Chat {};
struct Opened {
  std::size_t demand;
};
struct Closed {
  std::size_t demand;
};
struct Meddled {
  std::size_t demand;
};
struct Carried {
  std::size_t demand;
  unsigned value;
};
struct Met {
  std::size_t demand;
};

/// Says what its script has, a line an event, and sees whether demands are met by what it hears.
class Speaker : public heddle::Machine {
 public:
  struct Waiting;
  struct Speaking;
  static void declare(heddle::Declaration<Speaker>& is) {
    is.state<Waiting>()
        .start()
        .defer<Chat>()
        .defer<Opened>()
        .defer<Closed>()
        .defer<Meddled>()
        .defer<Carried>()
        .go_to<Speaking, Begin>(&Speaker::begin);
    is.state<Speaking>()
        .on<Next>(&Speaker::speak)
        .ignore<Chat>()
        .on<Opened>(&Speaker::opened)
        .on<Closed>(&Speaker::closed)
        .on<Meddled>(&Speaker::meddled)
        .on<Carried>(&Speaker::carried);
  }

 private:
  struct Heard {
    bool opened = false;
    bool closed = false;
    bool meddled = false;
  };

  void begin(const Begin& begin) {
    begin_ = begin;
    send(self(), Next{});
  }
  void speak() {
    const std::vector<Line>& script = begin_.protocol->scripts[begin_.self];
    if (line_ == script.size()) return;
    say(script[line_++]);
    send(self(), Next{});
  }
  void say(const Line& line) {
    const MachineId to = (*begin_.all)[line.to];
    switch (line.says) {
      case Says::chats:
        return send(to, Chat{});
      case Says::opens:
        return send(to, Opened{line.demand});
      case Says::closes:
        return send(to, Closed{line.demand});
      case Says::meddles:
        return send(to, Meddled{line.demand});
      case Says::carries:
        return send(to, Carried{line.demand, heddle::choose(begin_.protocol->demands[line.demand].values)});
    }
  }

  void opened(const Opened& event) {
    heard_[event.demand].opened = true;
    if (when(event.demand) == When::meddled_first && heard_[event.demand].meddled) met(event.demand);
  }
  void closed(const Closed& event) { heard_[event.demand].closed = true; }
  void meddled(const Meddled& event) {
    Heard& heard = heard_[event.demand];
    heard.meddled = true;
    if (heard.opened && when(event.demand) == When::meddled_second) met(event.demand);
    if (heard.opened && !heard.closed && when(event.demand) == When::meddled_between) met(event.demand);
  }
  void carried(const Carried& event) {
    if (event.value == begin_.protocol->demands[event.demand].wanted) met(event.demand);
  }

  When when(std::size_t demand) const { return begin_.protocol->demands[demand].when; }
  void met(std::size_t demand) { send(begin_.all->back(), Met{demand}); }

  Begin begin_ = {};
  std::size_t line_ = 0;
  std::array<Heard, kDepthMax> heard_;
};

class Judge : public heddle::Machine {
 public:
  explicit Judge(std::size_t demands) : left_(demands) {}
  struct Judging;
  static void declare(heddle::Declaration<Judge>& is) { is.state<Judging>().start().on<Met>(&Judge::count); }

 private:
  void count() {
    if (--left_ == 0) heddle::fail("all that the bug needs has come together");
  }
  std::size_t left_;
};

/// Adds lines to scripts; a line stands behind some that do not matter.
class Scripts {
 public:
  Scripts(Numbers& numbers, Protocol& protocol) : numbers_(numbers), scripts_(protocol.scripts) {}

  std::size_t any_but(std::initializer_list<std::size_t> these) {
    for (;;) {
      const std::size_t one = numbers_.below(scripts_.size());
      bool is_these = false;
      for (const std::size_t other : these) is_these = is_these || one == other;
      if (!is_these) return one;
    }
  }
  void chat(std::size_t who) {
    for (std::size_t i = numbers_.below(3); i > 0; --i) scripts_[who].push_back({Says::chats, any_but({who}), 0});
  }
  void add(std::size_t who, const Line& line) {
    chat(who);
    scripts_[who].push_back(line);
  }
  std::size_t length(std::size_t who) const { return scripts_[who].size(); }

 private:
  Numbers& numbers_;
  std::vector<std::vector<Line>>& scripts_;
};

Protocol::Demand plant_demand(Numbers& numbers, Scripts& scripts, std::size_t demand) {
  const std::size_t hears = scripts.any_but({});
  const std::size_t opens = scripts.any_but({hears});
  const std::size_t meddles = scripts.any_but({hears, opens});
  const std::uint8_t form = numbers.below(4);
  if (form == 0) {
    const unsigned values = 2u + numbers.below(5);
    scripts.add(opens, {Says::carries, hears, demand});
    return {When::value_comes, values, numbers.below(values)};
  }
  const bool is_late = scripts.length(meddles) > scripts.length(opens);
  scripts.add(opens, {Says::opens, hears, demand});
  scripts.add(meddles, {Says::meddles, hears, demand});
  if (form == 1) return {is_late ? When::meddled_first : When::meddled_second, 0, 0};
  scripts.add(opens, {Says::closes, hears, demand});
  return {When::meddled_between, 0, 0};
}

}  // namespace

// Like demands on threads (draft.hpp), each has its lines behind those of the one before it, so all can be met.
Protocol plant_protocol(Numbers& numbers, std::size_t machines, int depth) {
  Protocol protocol;
  protocol.scripts.resize(machines);
  Scripts scripts(numbers, protocol);
  for (std::size_t i = 0; i < static_cast<std::size_t>(depth); ++i)
    protocol.demands.push_back(plant_demand(numbers, scripts, i));
  for (std::size_t i = 0; i < machines; ++i) scripts.chat(i);
  return protocol;
}

void run(const Protocol& protocol) {
  std::vector<MachineId> all;
  heddle::Runtime runtime;
  for (std::size_t i = 0; i < protocol.scripts.size(); ++i) all.push_back(runtime.create<Speaker>());
  all.push_back(runtime.create<Judge>(protocol.demands.size()));
  for (std::size_t i = 0; i < protocol.scripts.size(); ++i) runtime.send(all[i], Begin{&protocol, &all, i});
}

}  // namespace planted
