// The closure against a naive checker that tries every sync-preserving reordering of small traces.
#include "strategy/predicting/sync_preserving.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/hash.hpp"
#include "base/random.hpp"

namespace heddle::test {
namespace {

using strategy::SyncKind;
using strategy::SyncTrace;

constexpr std::uint32_t kThreads = 3;
constexpr std::uint32_t kObjects = 2;

struct Event {
  std::uint32_t thread;
  SyncKind kind;
  std::uint32_t object;
};

using Pairs = std::set<std::pair<std::uint32_t, std::uint32_t>>;

std::string to_string(const std::vector<Event>& trace) {
  constexpr const char* kNames[] = {"step",    "create",  "join", "read", "write", "update",
                                    "acquire", "release", "sync", "wait", "failed"};
  std::string text;
  for (const Event& event : trace)
    text += "T" + std::to_string(event.thread) + " " + kNames[static_cast<int>(event.kind)] + " " +
            std::to_string(event.object) + "\n";
  return text;
}

/// A trace that obeys the locks. Thread 0 makes the others, each before its first event, or they were there already.
class Generator {
 public:
  explicit Generator(Random& random) : random_(random) {}

  std::vector<Event> trace(std::uint32_t size) {
    const bool makes = random_.below(2) != 0;
    while (trace_.size() < size) {
      const std::uint32_t thread = random_.below(kThreads);
      if (ended_[thread]) continue;
      if (makes && thread != 0 && !made_[thread]) {
        if (ended_[0]) return trace_;
        push(0, SyncKind::create, thread);
        made_[thread] = true;
      }
      act(thread);
    }
    return trace_;
  }

 private:
  void act(std::uint32_t thread) {
    const std::uint32_t object = random_.below(kObjects);
    switch (random_.below(8)) {
      case 0:
      case 1:
        return push(thread, SyncKind::read, object);
      case 2:
      case 3:
        return push(thread, SyncKind::write, object);
      case 4:
        return push(thread, random_.below(2) != 0 ? SyncKind::update : SyncKind::sync, object);
      case 5:
      case 6:
        if (owner_[object] == thread) {
          push(thread, SyncKind::release, object);
          owner_[object] = kThreads;
        } else if (owner_[object] == kThreads) {
          push(thread, SyncKind::acquire, object);
          owner_[object] = thread;
        }
        return;
      default:
        const std::uint32_t other = random_.below(kThreads);
        if (other == thread || other == 0 || random_.below(4) != 0) return;
        push(thread, SyncKind::join, other);
        ended_[other] = true;
    }
  }
  void push(std::uint32_t thread, SyncKind kind, std::uint32_t object) { trace_.push_back({thread, kind, object}); }

  Random& random_;
  std::vector<Event> trace_;
  std::uint32_t owner_[kObjects] = {kThreads, kThreads};
  bool made_[kThreads] = {true};
  bool ended_[kThreads] = {};
};

bool writes(SyncKind kind) { return kind == SyncKind::write || kind == SyncKind::update; }
bool reads(SyncKind kind) { return kind == SyncKind::read || kind == SyncKind::update; }

/// All reorderings, step by step; collects who can stand beside whom.
class Naive {
 public:
  explicit Naive(const std::vector<Event>& trace) : trace_(trace) {
    for (std::uint32_t i = 0; i < trace.size(); ++i) of_thread_[trace[i].thread].push_back(i);
    go(State{});
  }

  Pairs pairs;

 private:
  struct State {
    std::vector<std::uint32_t> at = std::vector<std::uint32_t>(kThreads);
    std::vector<int> written = std::vector<int>(kObjects, -1);   // the last write
    std::vector<int> acquired = std::vector<int>(kObjects, -1);  // the last acquire
    std::vector<int> holds = std::vector<int>(kObjects, -1);     // whose lock it is
    std::vector<int> syncs = std::vector<int>(kObjects);         // how many
    bool operator<(const State& other) const {
      return std::tie(at, written, acquired, holds, syncs) <
             std::tie(other.at, other.written, other.acquired, other.holds, other.syncs);
    }
  };

  bool has_happened(const State& state, std::uint32_t event) const {
    const auto& mine = of_thread_[trace_[event].thread];
    return std::find(mine.begin(), mine.end(), event) - mine.begin() < state.at[trace_[event].thread];
  }
  int count_syncs(std::uint32_t before, std::uint32_t object) const {
    return static_cast<int>(std::count_if(trace_.begin(), trace_.begin() + before, [&](const Event& event) {
      return event.kind == SyncKind::sync && event.object == object;
    }));
  }

  /// Its thread has come to it.
  bool stands(const State& state, std::uint32_t event) const {
    const Event& now = trace_[event];
    const std::uint32_t at = state.at[now.thread];
    if (at == 0) {  // it must have been made
      for (std::uint32_t i = 0; i < event; ++i)
        if (trace_[i].kind == SyncKind::create && trace_[i].object == now.thread && !has_happened(state, i))
          return false;
      return true;
    }
    // It goes on after a sync only when what had happened there by then has happened.
    const Event& last = trace_[of_thread_[now.thread][at - 1]];
    return last.kind != SyncKind::sync || state.syncs[last.object] >= count_syncs(event, last.object);
  }

  bool may_happen(const State& state, std::uint32_t event) const {
    const Event& now = trace_[event];
    if (reads(now.kind)) {
      int source = -1;
      for (std::uint32_t i = 0; i < event; ++i)
        if (writes(trace_[i].kind) && trace_[i].object == now.object) source = static_cast<int>(i);
      return state.written[now.object] == source;
    }
    if (now.kind == SyncKind::acquire)
      return state.holds[now.object] == -1 && state.acquired[now.object] < static_cast<int>(event);
    if (now.kind == SyncKind::sync) return state.syncs[now.object] == count_syncs(event, now.object);
    if (now.kind == SyncKind::join)
      for (const std::uint32_t other : of_thread_[now.object])
        if (!has_happened(state, other)) return false;
    return true;
  }

  void go(const State& state) {
    if (!seen_.insert(state).second) return;
    std::vector<std::uint32_t> standing;
    for (std::uint32_t thread = 0; thread < kThreads; ++thread)
      if (state.at[thread] < of_thread_[thread].size() && stands(state, of_thread_[thread][state.at[thread]]))
        standing.push_back(of_thread_[thread][state.at[thread]]);
    for (const std::uint32_t a : standing)
      for (const std::uint32_t b : standing)
        if (a < b) pairs.insert({a, b});
    for (const std::uint32_t event : standing)
      if (may_happen(state, event)) go(after(state, event));
  }

  State after(State state, std::uint32_t event) const {
    const Event& now = trace_[event];
    ++state.at[now.thread];
    if (writes(now.kind)) state.written[now.object] = static_cast<int>(event);
    if (now.kind == SyncKind::sync) ++state.syncs[now.object];
    if (now.kind == SyncKind::release) state.holds[now.object] = -1;
    if (now.kind == SyncKind::acquire) {
      state.holds[now.object] = static_cast<int>(now.thread);
      state.acquired[now.object] = static_cast<int>(event);
    }
    return state;
  }

  const std::vector<Event>& trace_;
  std::vector<std::uint32_t> of_thread_[kThreads];
  std::set<State> seen_;
};

Pairs by_closure(const std::vector<Event>& events) {
  SyncTrace trace;
  bool begun[kThreads] = {true};
  for (const Event& event : events) {
    trace.add(event.thread, event.kind, event.object);
    if (event.kind == SyncKind::create && !begun[event.object]) trace.made(event.object, event.thread);
    begun[event.thread] = true;
  }
  Pairs pairs;
  for (std::uint32_t i = 0; i < events.size(); ++i)
    for (std::uint32_t j = i + 1; j < events.size(); ++j)
      if (events[i].thread != events[j].thread && trace.can_meet(i, j)) pairs.insert({i, j});
  return pairs;
}

TEST(SyncPreserving, FindsExactlyThePairsThatSomeReorderingPutsSideBySide) {
  std::size_t found = 0;
  std::size_t asked = 0;
  for (std::uint64_t i = 0; i < 20'000; ++i) {
    Random random(combine(41, i));
    const std::uint32_t size = 4 + random.below(11);
    const std::vector<Event> trace = Generator(random).trace(size);
    const Pairs naive = Naive(trace).pairs;
    ASSERT_EQ(by_closure(trace), naive) << to_string(trace);
    found += naive.size();
    asked += trace.size() * (trace.size() - 1) / 2;
  }
  // Neither answer is rare.
  EXPECT_GT(found, asked / 10);
  EXPECT_LT(found, asked / 2);
}

// Figure 1 of the paper has this shape: the lock orders the two writes in the trace, but not in every schedule.
TEST(SyncPreserving, SeesBehindALockThatHappensBeforeDoesNot) {
  SyncTrace trace;
  const std::uint32_t first = trace.add(0, SyncKind::write, 0);
  trace.add(0, SyncKind::acquire, 0);
  trace.add(0, SyncKind::release, 0);
  trace.add(1, SyncKind::acquire, 0);
  trace.add(1, SyncKind::release, 0);
  const std::uint32_t second = trace.add(1, SyncKind::write, 0);
  EXPECT_TRUE(trace.can_meet(first, second));
}

TEST(SyncPreserving, AWaitGivesTheLockBackAndNeedsItsSignal) {
  enum : std::uint32_t { lock, condition = 0, x = 0 };
  SyncTrace trace;
  trace.add(0, SyncKind::acquire, lock);
  trace.add(0, SyncKind::wait, condition);
  trace.add(1, SyncKind::acquire, lock);
  const std::uint32_t before = trace.add(1, SyncKind::write, x);
  trace.add(1, SyncKind::sync, condition);
  trace.add(1, SyncKind::release, lock);
  const std::uint32_t after = trace.add(1, SyncKind::write, x);
  trace.add(0, SyncKind::acquire, lock);
  const std::uint32_t woken = trace.add(0, SyncKind::write, x);
  EXPECT_FALSE(trace.can_meet(before, woken));  // it has not been woken
  EXPECT_TRUE(trace.can_meet(after, woken));
}

}  // namespace
}  // namespace heddle::test
