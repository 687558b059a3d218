// State machines under control: scheduling points per second on a ring of machines and on Chameneos, and what a point
// costs where 99 of 100 machines stand idle. The baseline for each of the two programs is a bare loop that does the
// same work on its own inboxes: it picks a non-empty inbox at random and handles its message. Also the protocols of
// Table 2 of the P# paper (Deligiannis, Donaldson, Ketema, Lal and Thomson, PLDI 2015), compared with the paper's
// scheduling points per schedule times schedules per second under its random scheduler, and with a message of the bare
// loop.
#include <time.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <vector>

#include <heddle/actor.hpp>
#include <heddle/heddle.hpp>

#include "figures.hpp"
#include "protocols/bounded_async.hpp"
#include "protocols/chain_replication.hpp"
#include "protocols/chord.hpp"
#include "protocols/german.hpp"
#include "protocols/multi_paxos.hpp"
#include "protocols/paxos.hpp"
#include "protocols/raft.hpp"
#include "protocols/two_phase_commit.hpp"

namespace {

using heddle::MachineId;

constexpr int kRounds = 15;
constexpr std::uint64_t kExecutions = 10;

// --- a ring: tokens go round ---------------------------------------------------------------------------------------

constexpr int kNodes = 16;
constexpr int kTokens = 4;
constexpr int kHops = 4000;  // of each token

struct Token {
  int hops;
};
struct Next {
  MachineId node;
};

class Node : public heddle::Machine {
 public:
  struct Alone;
  struct Linked;
  static void declare(heddle::Declaration<Node>& is) {
    is.state<Alone>().start().defer<Token>().go_to<Linked, Next>(&Node::link);
    is.state<Linked>().on<Token>(&Node::pass);
  }

 private:
  void link(const Next& next) { next_ = next.node; }
  void pass(const Token& token) {
    if (token.hops > 0) send(next_, Token{token.hops - 1});
  }
  MachineId next_;
};

void link_and_pass(heddle::Runtime& runtime, const std::vector<MachineId>& nodes, int tokens, int hops) {
  const std::size_t count = nodes.size();
  for (std::size_t i = 0; i < count; ++i) runtime.send(nodes[i], Next{nodes[(i + 1) % count]});
  const auto senders = static_cast<std::size_t>(tokens);
  for (std::size_t i = 0; i < senders; ++i) runtime.send(nodes[i * count / senders], Token{hops});
}

void ring() {
  heddle::Runtime runtime;
  std::vector<MachineId> nodes;
  for (int i = 0; i < kNodes; ++i) nodes.push_back(runtime.create<Node>());
  link_and_pass(runtime, nodes, kTokens, kHops);
}

/// A ring of the first kBusy machines; the others have nothing to do once they have started. They start as they are
/// made, so that those that still have to are not what is measured.
constexpr int kBusy = 1000;
constexpr int kBusyTokens = 500;
constexpr int kBusyHops = 800;

void ring_among(int machines) {
  heddle::Runtime runtime;
  std::vector<MachineId> nodes;
  for (int i = 0; i < machines; ++i) {
    const MachineId made = runtime.create<Node>();
    if (i < kBusy) nodes.push_back(made);
    if (i % kBusy == 0) runtime.wait();
  }
  link_and_pass(runtime, nodes, kBusyTokens, kBusyHops);
}

// --- Chameneos: creatures meet in pairs and change their colours (Kaiser and Pradat-Peyre 2003) ----------------------

constexpr int kCreatures = 4;
constexpr int kMeetings = 4000;

enum class Colour { blue, red, yellow };

Colour complement(Colour mine, Colour other) {
  return mine == other ? mine : static_cast<Colour>(3 - static_cast<int>(mine) - static_cast<int>(other));
}

struct Come {
  MachineId who;
  Colour colour;
};
struct Meet {
  Colour colour;
};
struct Over {};

class Mall : public heddle::Machine {
 public:
  struct Empty;
  struct Waiting;
  struct Closed;
  static void declare(heddle::Declaration<Mall>& is) {
    is.state<Empty>().start().go_to<Waiting, Come>(&Mall::keep);
    is.state<Waiting>().on<Come>(&Mall::join);
    is.state<Closed>().on<Come>(&Mall::refuse);
  }

 private:
  void keep(const Come& come) { first_ = come; }
  void join(const Come& come) {
    send(first_.who, Meet{come.colour});
    send(come.who, Meet{first_.colour});
    if (++meetings_ < kMeetings)
      go_to<Empty>();
    else
      go_to<Closed>();
  }
  void refuse(const Come& come) { send(come.who, Over{}); }
  Come first_{};
  int meetings_ = 0;
};

class Creature : public heddle::Machine {
 public:
  Creature(MachineId mall, Colour colour) : mall_(mall), colour_(colour) {}
  struct Wandering;
  static void declare(heddle::Declaration<Creature>& is) {
    is.state<Wandering>().start().on_entry(&Creature::come).on<Meet>(&Creature::meet).on<Over>(&Creature::end);
  }

 private:
  void come() { send(mall_, Come{self(), colour_}); }
  void meet(const Meet& other) {
    colour_ = complement(colour_, other.colour);
    come();
  }
  void end() { halt(); }
  MachineId mall_;
  Colour colour_;
};

void chameneos() {
  heddle::Runtime runtime;
  const MachineId mall = runtime.create<Mall>();
  for (int i = 0; i < kCreatures; ++i) runtime.create<Creature>(mall, static_cast<Colour>(i % 3));
}

// --- the bare loops ------------------------------------------------------------------------------------------------

/// Messages to numbered receivers, one inbox each; takes them in the order of an inbox, and the inboxes at random.
template <typename Message>
class Inboxes {
 public:
  explicit Inboxes(std::size_t receivers) : inboxes_(receivers) {}
  void send(std::size_t to, const Message& message) {
    if (inboxes_[to].empty()) ready_.push_back(to);
    inboxes_[to].push_back(message);
  }
  template <typename Handle>
  std::uint64_t run(const Handle& handle) {
    std::uint64_t handled = 0;
    while (!ready_.empty()) {
      state_ ^= state_ << 13;
      state_ ^= state_ >> 7;
      state_ ^= state_ << 17;
      const std::size_t at = state_ % ready_.size();
      const std::size_t who = ready_[at];
      const Message message = inboxes_[who].front();
      inboxes_[who].pop_front();
      if (inboxes_[who].empty()) {
        ready_[at] = ready_.back();
        ready_.pop_back();
      }
      handle(who, message);
      ++handled;
    }
    return handled;
  }

 private:
  std::vector<std::deque<Message>> inboxes_;
  std::vector<std::size_t> ready_;
  std::uint64_t state_ = 0x9e37'79b9'7f4a'7c15ull;
};

std::uint64_t bare_ring() {
  Inboxes<int> inboxes(kNodes);
  for (int i = 0; i < kTokens; ++i) inboxes.send(static_cast<std::size_t>(i * kNodes / kTokens), kHops);
  return inboxes.run([&](std::size_t who, int hops) {
    if (hops > 0) inboxes.send((who + 1) % kNodes, hops - 1);
  });
}

std::uint64_t bare_chameneos() {
  struct Message {
    enum class Kind { come, meet, over } kind;
    std::size_t who;
    Colour colour;
  };
  using Kind = Message::Kind;
  Inboxes<Message> inboxes(kCreatures + 1);  // the mall is the last
  std::array<Colour, kCreatures> colours{};
  const auto come = [&](std::size_t who) { inboxes.send(kCreatures, {Kind::come, who, colours[who]}); };
  for (std::size_t i = 0; i < kCreatures; ++i) {
    colours[i] = static_cast<Colour>(i % 3);
    come(i);
  }
  Message first{Kind::over, 0, Colour::blue};
  int meetings = 0;
  return inboxes.run([&](std::size_t who, const Message& message) {
    if (who != kCreatures) {
      if (message.kind == Kind::over) return;
      colours[who] = complement(colours[who], message.colour);
      come(who);
    } else if (meetings == kMeetings) {
      inboxes.send(message.who, {Kind::over, 0, Colour::blue});
    } else if (first.kind == Kind::over) {
      first = message;
    } else {
      inboxes.send(first.who, {Kind::meet, 0, message.colour});
      inboxes.send(message.who, {Kind::meet, 0, first.colour});
      first.kind = Kind::over;
      ++meetings;
    }
  });
}

/// Of processor time: all runs on one thread, and a round is long enough to be disturbed by whatever else runs.
template <typename Function>
double processor_ns(const Function& function) {
  const auto now = [] {
    timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) * 1e9 + static_cast<double>(time.tv_nsec);
  };
  const double start = now();
  function();
  return now() - start;
}

// --- figures -------------------------------------------------------------------------------------------------------

struct Cost {
  double points_per_s;
  double message_ns;
};

/// `messages`: that one execution handles.
Cost under_control(const heddle::Body& body, std::uint64_t executions, std::uint64_t messages,
                   std::uint64_t steps_max = 1'000'000) {
  heddle::Options options;
  options.strategy = "random";
  options.executions = executions;
  options.steps_max = steps_max;
  options.output = heddle::Output::quiet;
  options.trace_directory.clear();
  heddle::Result result;
  const double ns = processor_ns([&] { result = heddle::explore(body, options); });
  return {static_cast<double>(result.steps) / ns * 1e9, ns / static_cast<double>(messages * executions)};
}

/// Returns what a message of the bare loop takes.
double measure(bench::Figures& figures, const std::string& name, void (*body)(), std::uint64_t (*bare)()) {
  bench::Best points, message, loop;
  std::uint64_t messages = 0;
  for (int round = 0; round < kRounds; ++round) {
    double ns = 0;
    for (std::uint64_t i = 0; i < kExecutions; ++i) ns += processor_ns([&] { messages = bare(); });
    loop.least(ns / static_cast<double>(messages * kExecutions));
    const Cost cost = under_control(body, kExecutions, messages);
    points.most(cost.points_per_s);
    message.least(cost.message_ns);
  }
  figures.add("actors/points_per_s_" + name, points.value(), "1/s");
  figures.add("actors/inbox_loop_message_" + name, loop.value(), "ns");
  figures.add_ratio("actors/message_over_inbox_loop_" + name, message.value() / loop.value(),
                    "actors/inbox_loop_message_" + name);
  return loop.value();
}

/// What a point costs where most machines stand idle; the making of the machines counts as well.
void measure_idle(bench::Figures& figures) {
  constexpr int kRoundsOfMany = 3;
  constexpr std::uint64_t kExecutionsOfMany = 4;
  constexpr std::uint64_t kStepsMax = 2'000'000;
  bench::Best few, many;
  for (int round = 0; round < kRoundsOfMany; ++round) {
    few.most(under_control([] { ring_among(kBusy); }, kExecutionsOfMany, 1, kStepsMax).points_per_s);
    many.most(under_control([] { ring_among(100 * kBusy); }, kExecutionsOfMany, 1, kStepsMax).points_per_s);
  }
  figures.add("scale/points_per_s_machines_1000", few.value(), "1/s");
  figures.add_ratio("scale/machines_100000_over_1000", few.value() / many.value(), "scale/points_per_s_machines_1000");
}

void measure_protocols(bench::Figures& figures, double bare_ns) {
  struct Row {
    const char* name;
    heddle::Body body;
    double points;     // a schedule, in the paper
    double schedules;  // a second
  };
  const Row rows[] = {
      {"bounded_async", [] { bounded_async::run(bounded_async::Version::correct); }, 232, 201.01},
      {"german", [] { german::run(german::Version::correct); }, 28, 52.04},
      {"paxos", [] { paxos::run(paxos::Version::correct); }, 92, 201.62},
      {"two_phase_commit", [] { two_phase_commit::run(two_phase_commit::Version::correct); }, 37, 485.48},
      {"chord", [] { chord::run(chord::Version::correct); }, 312, 149.57},
      {"multi_paxos", [] { multi_paxos::run(multi_paxos::Version::correct); }, 28, 3.12},
      {"raft", [] { raft::run(raft::Version::correct, 6); }, 61'322, 1.47},
      {"chain_replication", [] { chain_replication::run(chain_replication::Version::correct); }, 257, 150.77},
  };
  constexpr std::uint64_t kOfProtocol = 2000;
  for (const Row& row : rows) {
    bench::Best points;
    for (int round = 0; round < kRounds; ++round) points.most(under_control(row.body, kOfProtocol, 1).points_per_s);
    const std::string name = std::string("actors/points_per_s_") + row.name;
    figures.add(name, points.value(), "1/s");
    figures.add_ratio(name + "_over_psharp", points.value() / (row.points * row.schedules), "P#, PLDI 2015, Table 2");
    figures.add_ratio(std::string("actors/point_over_inbox_loop_") + row.name, 1e9 / points.value() / bare_ns,
                      "actors/inbox_loop_message_ring");
  }
}

}  // namespace

int main(int argc, char** argv) {
  bench::Figures figures;
  const double bare_ns = measure(figures, "ring", ring, bare_ring);
  measure(figures, "chameneos", chameneos, bare_chameneos);
  measure_idle(figures);
  measure_protocols(figures, bare_ns);
  return figures.write(argc, argv);
}
