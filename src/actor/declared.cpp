#include "actor/declared.hpp"

#include <algorithm>
#include <cstring>
#include <map>

namespace heddle::actor {

StateLines& Declared::state(const TypeInfo& tag, bool is_group) {
  StateLines& added = states.emplace_back();
  added.tag = &tag;
  added.level = level;
  added.is_group = is_group;
  return added;
}

namespace {

std::string quoted(std::string_view name) { return "`" + std::string(name) + "`"; }

/// Two parents may inherit it from the same group.
bool is_same(const Line& a, const Line& b) {
  return a.does == b.does && a.target == b.target && a.action.call == b.action.call &&
         std::memcmp(a.action.function, b.action.function, sizeof a.action.function) == 0;
}

class Resolution {
 public:
  explicit Resolution(const Declared& declared) : declared_(declared) {}

  std::vector<ResolvedState> run() {
    collect();
    if (declared_.on_exception.size() > 1) wrong("has two handlers of exceptions; keep one");
    std::vector<ResolvedState> states;
    for (const TypeInfo* tag : order_)
      if (!merged_[tag].is_group) states.push_back(resolved(tag));
    if (states.empty()) wrong("declares no state; say is.state<First>().start() in its declare()");
    check_start(states);
    for (const ResolvedState& state : states) check_targets(state);
    return states;
  }

 private:
  /// What the classes declare for a state or group, before the lines of what it extends are added.
  struct Merged {
    bool is_group = false;
    StateLines own;
    ResolvedState result;
    bool is_resolved = false;
    bool is_being_resolved = false;
  };

  [[noreturn]] void wrong(const std::string& what) const {
    throw ActorError("heddle: " + std::string(declared_.name) + " " + what);
  }
  [[noreturn]] void wrong(const TypeInfo& state, const std::string& what) const {
    wrong("in state " + std::string(state.name) + " " + what);
  }
  static std::string name_of(const EventType* event) {
    return event != nullptr ? std::string(event->name) : "any event";
  }

  // The most derived class comes first: its lines are not overwritten by those of the classes it extends.
  void collect() {
    std::vector<const StateLines*> parts;
    for (const StateLines& part : declared_.states) {
      parts.push_back(&part);
      if (!merged_.contains(part.tag)) order_.push_back(part.tag);
      merged_[part.tag].is_group = part.is_group;
    }
    std::stable_sort(parts.begin(), parts.end(), [](auto* a, auto* b) { return a->level < b->level; });
    for (const StateLines* part : parts) merge(*part);
  }

  void merge(const StateLines& part) {
    Merged& merged = merged_[part.tag];
    if (merged.is_group != part.is_group)
      wrong("declares " + quoted(part.tag->name) + " both as a state and as a group; keep one");
    StateLines& own = merged.own;
    own.tag = part.tag;
    for (const Line& line : part.lines) add(own, line, part.level);
    add_one(own, own.entry, part.entry, part.level, "entry");
    add_one(own, own.exit, part.exit, part.level, "exit");
    add_one(own, own.idle, part.idle, part.level, "idle");
    own.parents.insert(own.parents.end(), part.parents.begin(), part.parents.end());
    if (part.heat != Heat::warm && own.heat == Heat::warm) own.heat = part.heat;
    if (part.is_start) starts_.push_back({part.tag, part.level});
  }

  void add(StateLines& own, const Line& line, std::uint32_t level) {
    for (const Line& other : own.lines) {
      if (other.event != line.event) continue;
      if (level_of_[&own][line.event] != level) return;  // a more derived class has declared it
      clash(*own.tag, line, other);
    }
    own.lines.push_back(line);
    level_of_[&own][line.event] = level;
  }

  [[noreturn]] void clash(const TypeInfo& state, const Line& a, const Line& b) const {
    const std::string event = name_of(a.event);
    for (const Does kept : {Does::defer, Does::ignore}) {
      if ((a.does == kept) == (b.does == kept)) continue;
      const char* const word = kept == Does::defer ? "defers" : "ignores";
      const Does other = a.does == kept ? b.does : a.does;
      const bool both_kept = other == Does::ignore || other == Does::defer;
      wrong(state, std::string(word) + " " + event + " and also " +
                       (both_kept ? (other == Does::ignore ? "ignores" : "defers") : "handles") +
                       " it; keep one of the two lines");
    }
    if (a.does == Does::defer || a.does == Does::ignore)
      wrong(state, std::string(a.does == Does::defer ? "defers " : "ignores ") + event + " twice; keep one line");
    wrong(state, "handles " + event + " twice; keep one of the two lines");
  }

  void add_one(StateLines& own, std::vector<Action>& kept, const std::vector<Action>& more, std::uint32_t level,
               const char* what) {
    if (more.empty()) return;
    std::uint32_t& known = single_level_[{&kept, what}];
    if (!kept.empty() && known != level) return;
    if (!kept.empty() || more.size() > 1) wrong(*own.tag, std::string("has two ") + what + " actions; keep one");
    kept = more;
    known = level;
  }

  const ResolvedState& resolved(const TypeInfo* tag) {
    Merged& merged = merged_[tag];
    if (merged.is_resolved) return merged.result;
    if (merged.is_being_resolved) wrong("has a state " + quoted(tag->name) + " that extends itself");
    merged.is_being_resolved = true;
    ResolvedState& result = merged.result;
    result.tag = tag;
    result.heat = merged.own.heat;
    result.lines = merged.own.lines;
    if (!merged.own.entry.empty()) result.entry = merged.own.entry.front();
    if (!merged.own.exit.empty()) result.exit = merged.own.exit.front();
    if (!merged.own.idle.empty()) result.idle = merged.own.idle.front();
    std::map<const EventType*, const TypeInfo*> inherited_from;
    for (const TypeInfo* parent : merged.own.parents) inherit(result, parent, inherited_from);
    merged.is_resolved = true;
    return result;
  }

  void inherit(ResolvedState& state, const TypeInfo* parent,
               std::map<const EventType*, const TypeInfo*>& inherited_from) {
    if (!merged_.contains(parent)) wrong(*state.tag, "extends " + quoted(parent->name) + ", which is not declared");
    const ResolvedState from = resolved(parent);
    for (const Line& line : from.lines) {
      const auto there =
          std::find_if(state.lines.begin(), state.lines.end(), [&](auto& other) { return other.event == line.event; });
      const auto known = inherited_from.find(line.event);
      if (known != inherited_from.end() && !is_same(*there, line))
        wrong(*state.tag, "has a line for " + name_of(line.event) + " from " + quoted(known->second->name) +
                              " and one from " + quoted(parent->name) + "; say in the state itself which it is");
      if (there != state.lines.end()) continue;
      state.lines.push_back(line);
      inherited_from[line.event] = parent;
    }
    if (!state.entry) state.entry = from.entry;
    if (!state.exit) state.exit = from.exit;
    if (!state.idle) state.idle = from.idle;
    if (state.heat == Heat::warm) state.heat = from.heat;
  }

  // A start state of a more derived class replaces those of the classes it extends.
  void check_start(std::vector<ResolvedState>& states) {
    if (starts_.empty()) wrong("has no start state; say .start() of one of its states");
    const std::uint32_t nearest =
        std::min_element(starts_.begin(), starts_.end(), [](auto& a, auto& b) { return a.level < b.level; })->level;
    const TypeInfo* start = nullptr;
    for (const Start& candidate : starts_) {
      if (candidate.level != nearest || candidate.state == start) continue;
      if (start != nullptr)
        wrong("has two start states, " + quoted(start->name) + " and " + quoted(candidate.state->name) + "; keep one");
      start = candidate.state;
    }
    if (merged_[start].is_group) wrong("starts in " + quoted(start->name) + ", which is a group; name a state");
    for (ResolvedState& state : states) state.is_start = state.tag == start;
  }

  void check_targets(const ResolvedState& state) {
    for (const Line& line : state.lines) {
      if (line.target == nullptr) continue;
      const std::string way = line.does == Does::push ? "pushes " : "goes to ";
      if (!merged_.contains(line.target))
        wrong(*state.tag, way + quoted(line.target->name) + " on " + name_of(line.event) +
                              ", but that state is not declared; say is.state<" + std::string(line.target->name) +
                              ">()");
      if (merged_[line.target].is_group)
        wrong(*state.tag,
              way + quoted(line.target->name) + " on " + name_of(line.event) + ", but that is a group; name a state");
    }
  }

  struct Start {
    const TypeInfo* state;
    std::uint32_t level;
  };

  const Declared& declared_;
  std::vector<const TypeInfo*> order_;
  std::map<const TypeInfo*, Merged> merged_;
  std::map<const StateLines*, std::map<const EventType*, std::uint32_t>> level_of_;  // which class declared it
  std::map<std::pair<const void*, std::string_view>, std::uint32_t> single_level_;
  std::vector<Start> starts_;
};

}  // namespace

std::vector<ResolvedState> resolve(const Declared& declared) { return Resolution(declared).run(); }

}  // namespace heddle::actor
