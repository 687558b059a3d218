// Generated machines under random schedules, against a simple interpreter of the rules: the same records in the same
// order, and the same end.
#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <map>
#include <string>
#include <vector>

#include "actor/core.hpp"
#include "heddle/actor.hpp"
#include "heddle/heddle.hpp"
#include "reference.hpp"

namespace {

using heddle::MachineId;
using heddle::actor::Action;
using heddle::actor::Does;
using reference::LineKind;
using reference::Program;
using reference::Record;
using reference::Spec;
using reference::WishKind;

constexpr int kEvents = 4;
constexpr int kStates = 4;  // and one in which all begin
constexpr int kMachines = 3;

template <int>
struct E {};
template <int>
struct S;

class Generated;
using EventCall = void (*)(Generated&, MachineId);
using StateCall = void (*)(Generated&);

class Generated : public heddle::Machine {
 public:
  Generated(const Spec& spec, const std::vector<MachineId>& all) : fuel_(spec.fuel), all_(all) {}

  void perform(const Program& program, bool may_wish);
  template <int kEvent>
  static void send_one(Generated& self, MachineId to) {
    self.send(to, E<kEvent>{});
  }
  template <int kEvent>
  static void raise_one(Generated& self, MachineId) {
    self.raise(E<kEvent>{});
  }
  template <int kState>
  static void go_to_one(Generated& self) {
    self.go_to<S<kState>>();
  }
  template <int kState>
  static void push_one(Generated& self) {
    self.push<S<kState>>();
  }

 private:
  int fuel_;
  const std::vector<MachineId>& all_;
};

template <int... kIndex>
constexpr auto send_calls(std::integer_sequence<int, kIndex...>) {
  return std::array<EventCall, kEvents>{Generated::send_one<kIndex>...};
}
template <int... kIndex>
constexpr auto raise_calls(std::integer_sequence<int, kIndex...>) {
  return std::array<EventCall, kEvents>{Generated::raise_one<kIndex>...};
}
template <int... kIndex>
constexpr auto go_to_calls(std::integer_sequence<int, kIndex...>) {
  return std::array<StateCall, kStates + 1>{Generated::go_to_one<kIndex>...};
}
template <int... kIndex>
constexpr auto push_calls(std::integer_sequence<int, kIndex...>) {
  return std::array<StateCall, kStates + 1>{Generated::push_one<kIndex>...};
}
template <int... kIndex>
std::array<const heddle::actor::EventType*, kEvents> event_types(std::integer_sequence<int, kIndex...>) {
  return {&heddle::actor::event_type<E<kIndex>>...};
}
template <int... kIndex>
std::array<heddle::actor::TypeInfo*, kStates + 1> state_tags(std::integer_sequence<int, kIndex...>) {
  return {&heddle::actor::type_info<S<kIndex>>...};
}
constexpr std::make_integer_sequence<int, kEvents> kEachEvent;
constexpr std::make_integer_sequence<int, kStates + 1> kEachState;
const auto kEventTypes = event_types(kEachEvent);
const auto kStateTags = state_tags(kEachState);

void Generated::perform(const Program& program, bool may_wish) {
  constexpr auto kSends = send_calls(kEachEvent);
  constexpr auto kRaises = raise_calls(kEachEvent);
  constexpr auto kGoTos = go_to_calls(kEachState);
  constexpr auto kPushes = push_calls(kEachState);
  if (fuel_ == 0) return;
  --fuel_;
  for (const reference::Send& one : program.sends)
    kSends[static_cast<std::size_t>(one.event)](*this, all_[static_cast<std::size_t>(one.machine) - 1]);
  if (!may_wish) return;
  const auto argument = static_cast<std::size_t>(program.argument);
  switch (program.wish) {
    case WishKind::none:
      return;
    case WishKind::raise:
      return kRaises[argument](*this, {});
    case WishKind::go_to:
      return kGoTos[argument](*this);
    case WishKind::push:
      return kPushes[argument](*this);
    case WishKind::pop:
      if (heddle::actor::MachineCore::of(*this)->stack().size() > 1) pop();
      return;
    case WishKind::halt:
      return halt();
  }
}

template <bool kMayWish>
heddle::Task call(const Action& self, void* object, const heddle::actor::EventType*, void*) {
  const Program* program;
  std::memcpy(&program, self.function, sizeof program);
  static_cast<Generated*>(static_cast<heddle::Machine*>(object))->perform(*program, kMayWish);
  return {};
}

Action action_of(const Program& program, bool may_wish) {
  Action action;
  action.call = may_wish ? call<true> : call<false>;
  const Program* const at = &program;
  std::memcpy(action.function, &at, sizeof at);
  return action;
}

/// As declare() would have written it.
heddle::actor::Declared declared(const Spec& spec) {
  heddle::actor::Declared result;
  result.name = "Generated";
  const auto line_of = [](const reference::Line& line, const heddle::actor::EventType* event) {
    constexpr std::array<Does, 6> kDoes = {Does::nothing, Does::action, Does::go_to,
                                           Does::push,    Does::defer,  Does::ignore};
    heddle::actor::Line made;
    made.event = event;
    made.does = kDoes[static_cast<std::size_t>(line.kind)];
    if (line.kind == LineKind::go_to || line.kind == LineKind::push)
      made.target = kStateTags[static_cast<std::size_t>(line.target)];
    if (line.program) made.action = action_of(*line.program, line.kind == LineKind::action);
    return made;
  };
  for (std::size_t i = 0; i < spec.states.size(); ++i) {
    const reference::State& state = spec.states[i];
    heddle::actor::StateLines& made = result.state(*kStateTags[i], false);
    made.is_start = i == 0;
    for (std::size_t event = 0; event < kEvents; ++event)
      if (state.lines[event].kind != LineKind::none)
        made.lines.push_back(line_of(state.lines[event], kEventTypes[event]));
    if (state.any.kind != LineKind::none) made.lines.push_back(line_of(state.any, nullptr));
    if (state.entry) made.entry.push_back(action_of(*state.entry, true));
    if (state.exit) made.exit.push_back(action_of(*state.exit, false));
    if (state.idle) made.idle.push_back(action_of(*state.idle, true));
    if (state.extends >= 0) made.parents.push_back(kStateTags[static_cast<std::size_t>(state.extends)]);
  }
  return result;
}

class Generator {
 public:
  /// `total`: no event is unhandled. A failure costs a report, so most systems are.
  Generator(std::uint64_t seed, bool total) : state_(seed * 0x9e37'79b9'7f4a'7c15ull + 1), total_(total) {}

  int below(int bound) {
    state_ ^= state_ << 13;
    state_ ^= state_ >> 7;
    state_ ^= state_ << 17;
    return static_cast<int>((state_ >> 16) % static_cast<std::uint64_t>(bound));
  }
  bool chance(int percent) { return below(100) < percent; }

  Program program(bool may_wish) {
    Program made;
    for (int i = below(3); i > 0; --i) made.sends.push_back({1 + below(kMachines), below(kEvents)});
    if (!may_wish) return made;
    const int what = below(100);
    made.wish = what < 50   ? WishKind::none
                : what < 62 ? WishKind::raise
                : what < 74 ? WishKind::go_to
                : what < 82 ? WishKind::push
                : what < 90 ? WishKind::pop
                            : WishKind::halt;
    made.argument = made.wish == WishKind::raise ? (total_ ? kEvents - 1 : below(kEvents)) : 1 + below(kStates);
    return made;
  }

  reference::Line line(bool has_transitions) {
    const int what = below(100);
    if (what < 35) return {LineKind::action, 0, program(true)};
    if (what < 55) return {LineKind::defer, 0, std::nullopt};
    if (what < 67) return {LineKind::ignore, 0, std::nullopt};
    if (!has_transitions) return {LineKind::action, 0, program(true)};
    if (what < 88)
      return {LineKind::go_to, 1 + below(kStates), chance(50) ? std::optional(program(false)) : std::nullopt};
    return {LineKind::push, 1 + below(kStates), std::nullopt};
  }

  Spec spec() {
    Spec made;
    made.fuel = 5 + below(20);
    reference::State& first = made.states.emplace_back();
    first.lines.resize(kEvents);
    first.lines[0] = {LineKind::go_to, 1, std::nullopt};
    first.any = {LineKind::defer, 0, std::nullopt};
    for (int i = 1; i <= kStates; ++i) {
      reference::State& state = made.states.emplace_back();
      state.lines.resize(kEvents);
      for (reference::Line& one : state.lines)
        if (chance(75)) one = line(true);
      while (total_ && (state.lines.back().kind == LineKind::none || state.lines.back().kind == LineKind::defer))
        state.lines.back() = line(true);
      if (total_ || chance(40)) state.any = line(false);
      if (chance(40)) state.entry = program(true);
      if (chance(30)) state.exit = program(false);
      if (chance(15)) state.idle = program(true);
      if (i > 1 && chance(25)) state.extends = 1 + below(i - 1);
    }
    return made;
  }

 private:
  std::uint64_t state_;
  const bool total_;
};

class Anchor : public heddle::Machine {  // so that there is a machine to reach the system by
 public:
  struct Only;
  static void declare(heddle::Declaration<Anchor>& is) { is.state<Only>().start(); }
};

heddle::Machine* make_generated(void* packed) {
  auto& [spec, all] = *static_cast<std::pair<const Spec*, const std::vector<MachineId>*>*>(packed);
  return new Generated(*spec, *all);
}

void body(const std::vector<Spec>& specs, const std::vector<const heddle::actor::Table*>& tables,
          std::vector<Record>& records) {
  records.clear();
  heddle::RuntimeOptions options;
  options.log = [&](const heddle::LogRecord& record) {
    using What = heddle::LogRecord::What;
    if (record.what == What::created || record.what == What::deferred || record.what == What::dropped) return;
    if (record.machine.number() == 1) return;
    const auto number = [](MachineId id) { return id ? static_cast<int>(id.number()) - 1 : 0; };
    records.push_back({std::string(name(record.what)), number(record.machine), std::string(record.state),
                       std::string(record.event), number(record.other)});
  };
  std::vector<MachineId> all;
  heddle::Runtime runtime(options);
  heddle::actor::System& system = heddle::actor::MachineCore::of(runtime.create<Anchor>())->system();
  for (std::size_t i = 0; i < specs.size(); ++i) {
    std::pair packed{&specs[i], static_cast<const std::vector<MachineId>*>(&all)};
    all.push_back(heddle::actor::create(system, nullptr, *tables[i], {}, {make_generated, &packed}, nullptr));
  }
  for (const MachineId id : all) runtime.send(id, E<0>{});
}

std::string shown(const Record& record) {
  return record.what + " machine " + std::to_string(record.machine) + " state " + record.state + " event " +
         record.event + " other " + std::to_string(record.other);
}

/// Plays the reference in the order of the records; false and a failure where it differs.
bool agrees(const std::vector<Spec>& specs, const std::vector<Record>& records, const std::string& verdict) {
  std::vector<reference::Machine> machines;
  for (std::size_t i = 0; i < specs.size(); ++i) machines.emplace_back(specs[i], static_cast<int>(i) + 1);
  for (std::size_t i = 0; i < records.size(); ++i) {
    const Record& record = records[i];
    if (record.machine == 0) {
      machines[static_cast<std::size_t>(record.other) - 1].receive(record.event);
      continue;
    }
    const auto expected = machines[static_cast<std::size_t>(record.machine) - 1].play(machines);
    if (expected == record) continue;
    ADD_FAILURE() << "record " << i << ": heddle says " << shown(record) << "; the reference says "
                  << (expected ? shown(*expected) : "nothing");
    return false;
  }
  int unhandled = 0;
  for (reference::Machine& machine : machines) {
    EXPECT_TRUE(verdict != "passed" || machine.is_idle());
    unhandled += machine.is_unhandled() ? 1 : 0;
  }
  EXPECT_EQ(unhandled, verdict == "unhandled-event" ? 1 : 0);
  EXPECT_TRUE(verdict == "passed" || verdict == "unhandled-event") << verdict;
  return unhandled == (verdict == "passed" ? 0 : 1);
}

TEST(GeneratedMachines, do_as_the_reference_says) {
  constexpr int kSystems = 2500;
  int unhandled = 0;
  std::map<std::string, int> seen;
  for (int seed = 1; seed <= kSystems; ++seed) {
    Generator generator(static_cast<std::uint64_t>(seed), seed % 25 != 0);
    std::vector<Spec> specs;
    for (int i = 0; i < kMachines; ++i) specs.push_back(generator.spec());
    std::vector<const heddle::actor::Table*> tables;
    for (const Spec& spec : specs) tables.push_back(&heddle::actor::make_table(declared(spec), nullptr));
    std::vector<Record> records;
    heddle::Options options;
    options.executions = 1;
    options.seed = static_cast<std::uint64_t>(seed);
    options.strategy = "random";
    options.output = heddle::Output::quiet;
    options.trace_directory = "";
    const heddle::Result result = heddle::try_explore([&] { body(specs, tables, records); }, options);
    ASSERT_TRUE(agrees(specs, records, result.verdict)) << "system " << seed << ": " << result.message;
    unhandled += result.bug_found ? 1 : 0;
    for (const Record& record : records) ++seen[record.what];
  }
  // Each rule is applied often enough: one that went wrong in one case of twenty would escape 200 with a chance of
  // 0.95^200 < 4e-5.
  for (const char* what : {"taken", "sent", "entered", "pushed", "popped", "raised", "ignored", "idle", "halted"})
    EXPECT_GE(seen[what], 200) << what;
  EXPECT_GE(unhandled, 30);
}

}  // namespace
