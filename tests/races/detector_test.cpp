// The detector against one that is slow and obviously right, on generated programs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bitset>
#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "model/happens_before.hpp"
#include "races/detector.hpp"

namespace heddle::races {
namespace {

using model::HappensBefore;
using model::MemoryOrder;
using model::Sequences;

constexpr std::uint32_t kOperations = 4;
constexpr std::uint32_t kCrowd = 40;  // operations, where many access the same bytes
constexpr std::uint32_t kSyncs = 3;   // locks, semaphores
constexpr std::uint32_t kAtomics = 2;
constexpr std::uint32_t kBytes = 20;  // of memory, over three cells
constexpr std::size_t kSteps = 90;

enum class Do {
  read,
  write,
  atomic_read,
  atomic_write,
  acquire,
  release,
  acquire_second,
  pass_on,
  load,
  store,
  update,
  fence,
  create,
  join,
  kCount
};

struct Step {
  Do what;
  std::uint32_t who;
  std::uint32_t object;  // a sync, an atomic, the other operation, or the first byte
  std::uint32_t bytes;
  MemoryOrder order;
};

std::vector<Step> generate(std::mt19937& random) {
  const auto pick = [&](std::uint32_t bound) {
    return std::uniform_int_distribution<std::uint32_t>(0, bound - 1)(random);
  };
  const auto wanted = 2 + pick(kSteps);
  const bool few_places = pick(2) == 0;  // long chains over one object, or many objects
  std::vector<Step> steps;
  std::uint32_t created = 1;
  std::array<bool, kOperations> ended{};
  while (steps.size() < wanted) {
    Step step{};
    step.what = static_cast<Do>(pick(static_cast<std::uint32_t>(Do::kCount)));
    if (pick(2) == 0) step.what = static_cast<Do>(pick(2));  // half of it plain accesses
    step.who = pick(created);
    if (ended[step.who]) continue;
    step.order = static_cast<MemoryOrder>(pick(6));
    switch (step.what) {
      case Do::read:
      case Do::write:
      case Do::atomic_read:
      case Do::atomic_write:
        step.bytes = few_places ? 4 : 1 + pick(8);
        step.object = few_places ? 0 : pick(kBytes - step.bytes);
        break;
      case Do::create:
        if (created == kOperations) continue;
        step.object = created++;
        break;
      case Do::join:
        step.object = pick(created);
        if (step.object == step.who || step.object == 0) continue;
        ended[step.object] = true;
        break;
      case Do::load:
      case Do::store:
      case Do::update:
        step.object = kSyncs + pick(kAtomics);
        break;
      default:
        step.object = pick(kSyncs);
    }
    steps.push_back(step);
  }
  return steps;
}

/// Short programs that hand on plain accesses through one atomic object: what a release sequence is decides.
std::vector<Step> generate_sequences(std::mt19937& random) {
  const auto pick = [&](std::uint32_t bound) {
    return std::uniform_int_distribution<std::uint32_t>(0, bound - 1)(random);
  };
  std::vector<Step> steps;
  for (std::uint32_t id = 1; id < kOperations; ++id) steps.push_back({Do::create, 0, id, 0, MemoryOrder::relaxed});
  for (std::uint32_t i = 0; i < 16; ++i) {
    static constexpr std::array kWhat = {Do::write, Do::store, Do::store, Do::store, Do::load, Do::load, Do::update};
    static constexpr std::array kOrders = {MemoryOrder::relaxed, MemoryOrder::release, MemoryOrder::acquire};
    const Do what = kWhat[pick(kWhat.size())];
    const bool is_plain = what == Do::write;
    steps.push_back({what, 1 + pick(2), is_plain ? 8 * pick(2) : kSyncs, is_plain ? 4u : 0u, kOrders[pick(3)]});
  }
  return steps;
}

/// Events are nodes of a graph, and an event is before another if a path leads from the one to the other. An access
/// races if it is in conflict with any access that is not before it.
template <std::size_t kOperationsMost, std::size_t kStepsMost>
class NaiveOf {
 public:
  explicit NaiveOf(Sequences sequences = Sequences::updates) : sequences_(sequences) {}

  /// Does the access race? Nothing for what is no access.
  std::optional<bool> step(const Step& step) {
    const std::size_t node = events_.size();
    events_.emplace_back();
    events_[node].set(node);
    who_.push_back(step.who);
    Operation& who = operations_[step.who];
    for (const std::size_t start : who.starts) after(node, start);
    who.starts.clear();
    if (who.last) after(node, *who.last);
    who.last = node;
    Sync& sync = syncs_[step.object < syncs_.size() ? step.object : 0];
    switch (step.what) {
      case Do::release:
        sync.first.push_back(node);
        break;
      case Do::acquire:
        after(node, sync.first);
        break;
      case Do::acquire_second:
        after(node, sync.second);
        break;
      case Do::pass_on:
        sync.second = sync.first;
        sync.first.clear();
        break;
      case Do::load:
        load(node, who, sync, step.order);
        break;
      case Do::store:
        std::erase_if(sync.first,
                      [&](std::size_t one) { return sequences_ == Sequences::updates || who_[one] != step.who; });
        store(node, who, sync, step.order);
        break;
      case Do::update:
        load(node, who, sync, step.order);
        store(node, who, sync, step.order);
        break;
      case Do::fence:
        if (acquires(step.order)) after(node, who.seen_relaxed);
        if (releases(step.order)) who.release_fence = node;
        break;
      case Do::create:
        operations_[step.object].starts.push_back(node);
        break;
      case Do::join:
        if (operations_[step.object].last) after(node, *operations_[step.object].last);
        for (const std::size_t start : operations_[step.object].starts) after(node, start);
        break;
      default:
        return access(node, step);
    }
    return std::nullopt;
  }

  /// The steps that the first racing access races with at the first byte where it does.
  const std::vector<std::size_t>& raced() const { return raced_; }
  std::uint32_t first_byte() const { return first_byte_; }
  bool is_before(std::size_t step, std::size_t other) const { return events_[other].test(step); }

 private:
  using Before = std::bitset<kStepsMost>;
  struct Operation {
    std::optional<std::size_t> last;
    std::optional<std::size_t> release_fence;
    std::vector<std::size_t> starts;  // the event that created it
    std::vector<std::size_t> seen_relaxed;
  };
  struct Sync {
    std::vector<std::size_t> first, second;
  };
  struct Made {
    std::size_t node;
    std::uint32_t begin, end;
    bool writes, atomic;
  };

  void after(std::size_t node, std::size_t earlier) { events_[node] |= events_[earlier]; }
  void after(std::size_t node, const std::vector<std::size_t>& earlier) {
    for (const std::size_t one : earlier) after(node, one);
  }
  void load(std::size_t node, Operation& who, const Sync& sync, MemoryOrder order) {
    if (acquires(order))
      after(node, sync.first);
    else
      who.seen_relaxed.insert(who.seen_relaxed.end(), sync.first.begin(), sync.first.end());
  }
  static void store(std::size_t node, const Operation& who, Sync& sync, MemoryOrder order) {
    if (releases(order))
      sync.first.push_back(node);
    else if (who.release_fence)
      sync.first.push_back(*who.release_fence);
  }
  bool access(std::size_t node, const Step& step) {
    const bool writes = step.what == Do::write || step.what == Do::atomic_write;
    const bool atomic = step.what == Do::atomic_read || step.what == Do::atomic_write;
    const Made mine{node, step.object, step.object + step.bytes, writes, atomic};
    bool races = false;
    for (const Made& other : made_) {
      const bool overlaps = other.begin < mine.end && mine.begin < other.end;
      if (!overlaps || !(other.writes || writes) || (other.atomic && atomic)) continue;
      if (events_[node].test(other.node)) continue;
      races = true;
      if (std::max(other.begin, mine.begin) < first_byte_) raced_.clear();
      first_byte_ = std::min(first_byte_, std::max(other.begin, mine.begin));
      if (std::max(other.begin, mine.begin) == first_byte_) raced_.push_back(other.node);
    }
    if (step.what == Do::read) {  // it has seen those writes
      for (std::uint32_t byte = mine.begin; byte < mine.end; ++byte) {
        for (std::size_t i = made_.size(); i-- > 0;) {
          if (!made_[i].writes || byte < made_[i].begin || byte >= made_[i].end) continue;
          after(node, made_[i].node);
          break;
        }
      }
    }
    made_.push_back(mine);
    return races;
  }

  const Sequences sequences_;
  std::vector<Before> events_;
  std::vector<std::uint32_t> who_;  // indexed by event
  std::array<Operation, kOperationsMost> operations_;
  std::array<Sync, kSyncs + kAtomics> syncs_;
  std::vector<Made> made_;
  std::vector<std::size_t> raced_;
  std::uint32_t first_byte_ = kBytes;
};

using Naive = NaiveOf<kOperations, 128>;
using CrowdedNaive = NaiveOf<kCrowd, 512>;

/// Nearly all of many operations read the same few bytes, and now and then one of them is ordered after others, or
/// writes. A writer that is ordered after all readers is rare, so there is one that joins all of them at the end.
std::vector<Step> generate_crowded(std::mt19937& random) {
  const auto pick = [&](std::uint32_t bound) {
    return std::uniform_int_distribution<std::uint32_t>(0, bound - 1)(random);
  };
  std::vector<Step> steps;
  const auto add = [&](Do what, std::uint32_t who, std::uint32_t object, std::uint32_t bytes = 0) {
    steps.push_back({what, who, object, bytes, static_cast<MemoryOrder>(pick(6))});
  };
  const Do usual = pick(2) == 0 ? Do::read : Do::atomic_read;
  const std::uint32_t others = 2 + pick(60);  // one access in so many is of another kind
  for (std::uint32_t byte = 0; byte < 8; byte += 4) add(Do::write, 0, byte, 4);
  for (std::uint32_t id = 1; id < kCrowd; ++id) add(Do::create, 0, id);
  const std::uint32_t count = 100 + pick(250);
  while (steps.size() < count) {
    const std::uint32_t who = 1 + pick(kCrowd - 1);
    if (pick(4) == 0) {
      add(pick(2) == 0 ? Do::acquire : Do::release, who, pick(kSyncs));
    } else {
      const Do what = pick(others) != 0 ? usual : static_cast<Do>(pick(4));
      const std::uint32_t bytes = pick(4) != 0 ? 4 : 1 + pick(4);
      add(what, who, pick(3) != 0 ? 0 : pick(8), bytes);
    }
  }
  for (std::uint32_t id = 1; id < kCrowd; ++id)
    if (pick(30) != 0) add(Do::join, 0, id);
  for (std::uint32_t byte = 0; byte < 8; ++byte) add(pick(2) == 0 ? Do::write : Do::atomic_write, 0, byte, 4);
  return steps;
}

class Fast {
 public:
  static constexpr std::uintptr_t kMemory = 0x5000'003f'fff8;  // the last cell of a region, and the first of the next

  explicit Fast(bool remembers = true, bool names_exactly = false, Sequences sequences = Sequences::updates)
      : remembers_(remembers),
        names_exactly_(names_exactly),
        sequences_(sequences),
        order_(&partner_),
        detector_(order_) {
    detector_.open();
  }

  void begin() {
    detector_.begin(order_.begin(remembers_, sequences_), names_exactly_);
    order_.add(OperationId{0}, kNoOperation);
    steps_ = 0;
  }
  /// What the last access was in conflict with. A site is the number of a step.
  const Conflict& conflict() const { return conflict_; }
  bool would_be_ordered_by_older_rule() const {
    return order_.is_before_by_older_rule(conflict_.when, conflict_.later.who);
  }

  std::optional<bool> step(const Step& step) {
    const OperationId who{step.who};
    ++steps_;
    switch (step.what) {
      case Do::acquire:
        order_.acquire(who, step.object);
        break;
      case Do::release:
        order_.release(who, step.object);
        break;
      case Do::acquire_second:
        order_.acquire(who, step.object, HappensBefore::kSecond);
        break;
      case Do::pass_on:
        order_.pass_on(step.object);
        break;
      case Do::load:
        order_.load(who, step.object, step.order);
        break;
      case Do::store:
        order_.store(who, step.object, step.order);
        break;
      case Do::update:
        order_.load(who, step.object, step.order);
        order_.carry_on(who, step.object, step.order);
        break;
      case Do::fence:
        order_.fence(who, step.order);
        break;
      case Do::create:
        order_.add(OperationId{step.object}, who);
        break;
      case Do::join:
        order_.join(who, OperationId{step.object});
        break;
      default:
        return access(step);
    }
    return std::nullopt;
  }

 private:
  bool access(const Step& step) {
    static constexpr std::array kKinds = {AccessKind::read, AccessKind::write, AccessKind::atomic_read,
                                          AccessKind::atomic_write};
    const Access made{OperationId{step.who}, kKinds[static_cast<std::size_t>(step.what)], steps_ - 1};
    const std::uintptr_t at = kMemory + step.object;
    conflict_ = {};
    if (!detector_.access_quickly(made, at, step.bytes)) conflict_ = detector_.access(made, at, step.bytes);
    return conflict_.kind == Conflict::Kind::race;
  }

  const bool remembers_;
  const bool names_exactly_;
  const Sequences sequences_;
  std::uint32_t steps_ = 0;
  Conflict conflict_;
  HappensBefore partner_;
  HappensBefore order_;
  Detector detector_;
};

std::string text_of(const std::vector<Step>& steps) {
  static constexpr std::array kNames = {"read",    "write",    "atomic_read", "atomic_write", "acquire",
                                        "release", "acquire2", "pass_on",     "load",         "store",
                                        "update",  "fence",    "create",      "join"};
  std::string text;
  for (const Step& step : steps)
    text += "T" + std::to_string(step.who) + " " + kNames[static_cast<std::size_t>(step.what)] + " " +
            std::to_string(step.object) + "+" + std::to_string(step.bytes) + " order " +
            std::to_string(static_cast<int>(step.order)) + "\n";
  return text;
}

/// Up to the first race they agree on every access. After it every race found is one by the naive detector too, which
/// keeps every write apart (memory/order.hpp says why the fast one does not), and most of its races are found.
TEST(Detector, AgreesWithANaiveOne) {
  std::mt19937 random(1);
  Fast fast;  // one for all: an execution must not see those before it
  std::size_t races = 0;
  std::size_t later_races = 0;
  std::size_t later_found = 0;
  std::size_t accesses = 0;
  for (int program = 0; program < 100'000; ++program) {
    const std::vector<Step> steps = generate(random);
    Naive naive;
    fast.begin();
    bool has_raced = false;
    for (std::size_t i = 0; i < steps.size(); ++i) {
      const std::optional<bool> expected = naive.step(steps[i]);
      const std::optional<bool> found = fast.step(steps[i]);
      ASSERT_TRUE(expected == found || (has_raced && *expected && !*found))
          << "program " << program << ", step " << i << "\n"
          << text_of(steps);
      accesses += expected.has_value() ? 1 : 0;
      races += expected.value_or(false) ? 1 : 0;
      later_races += has_raced && expected.value_or(false) ? 1 : 0;
      later_found += has_raced && found.value_or(false) ? 1 : 0;
      has_raced = has_raced || expected.value_or(false);
    }
  }
  EXPECT_GT(races, accesses / 20) << "programs without races prove nothing";
  EXPECT_LT(races, accesses * 9 / 10);
  EXPECT_GT(later_found, later_races * 8 / 10) << later_found << " of " << later_races;
}

template <typename AnyNaive>
void agree_up_to_the_first_race(AnyNaive naive, Fast& fast, const std::vector<Step>& steps) {
  fast.begin();
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const std::optional<bool> expected = naive.step(steps[i]);
    ASSERT_EQ(expected, fast.step(steps[i])) << "step " << i << "\n" << text_of(steps);
    if (expected.value_or(false)) break;
  }
}

/// An execution that ends with its first race needs no memory of who knew what.
TEST(Detector, AgreesUpToTheFirstRaceWithoutRemembering) {
  std::mt19937 random(2);
  Fast fast(false);
  for (int program = 0; program < 100'000; ++program) {
    const std::vector<Step> steps = generate(random);
    ASSERT_NO_FATAL_FAILURE(agree_up_to_the_first_race(Naive(), fast, steps)) << "program " << program;
  }
}

/// The access that is named is one that races, at the first byte where any does; and whether accesses are kept apart or
/// as one, the same is found.
template <typename AnyNaive, typename Generate>
std::size_t name_the_races(const Generate& generated, int programs, unsigned seed) {
  std::mt19937 random(seed);
  Fast merging(false);
  Fast exact(false, true);
  std::size_t races = 0;
  for (int program = 0; program < programs; ++program) {
    const std::vector<Step> steps = generated(random);
    AnyNaive naive;
    merging.begin();
    exact.begin();
    for (const Step& step : steps) {
      const bool has_raced = naive.step(step).value_or(false);
      EXPECT_EQ(merging.step(step).value_or(false), has_raced) << "program " << program;
      EXPECT_EQ(exact.step(step).value_or(false), has_raced) << "program " << program;
      if (testing::Test::HasFailure()) return races;
      if (!has_raced) continue;
      ++races;
      const Conflict& named = exact.conflict();
      EXPECT_EQ(named.address, Fast::kMemory + naive.first_byte()) << text_of(steps);
      EXPECT_THAT(naive.raced(), ::testing::Contains(named.earlier.site)) << text_of(steps);
      EXPECT_EQ(steps[named.earlier.site].who, index(named.earlier.who));
      EXPECT_EQ(static_cast<int>(steps[named.earlier.site].what), static_cast<int>(named.earlier.kind));
      EXPECT_EQ(named.address, merging.conflict().address) << text_of(steps);
      EXPECT_EQ(named.earlier.who, merging.conflict().earlier.who) << text_of(steps);
      EXPECT_EQ(named.earlier.kind, merging.conflict().earlier.kind) << text_of(steps);
      if (testing::Test::HasFailure()) return races;
      break;
    }
  }
  return races;
}

TEST(Detector, NamesAnAccessThatHappened) { EXPECT_GT(name_the_races<Naive>(generate, 100'000, 3), 10'000u); }

// Two bytes of a cell that so many read or write are in a roll (races/rolls.hpp). A third of the programs race at the
// latest when main, which has not joined all of them, writes; in the others every access is in order.
TEST(Detector, NamesAnAccessOfManyOperations) {
  const std::size_t races = name_the_races<CrowdedNaive>(generate_crowded, 3000, 8);
  EXPECT_GT(races, 1000u);
  EXPECT_LT(races, 2900u);
}

TEST(Detector, FollowsTheReleaseSequencesOfCxx17) {
  std::mt19937 random(4);
  Fast fast(false, false, Sequences::own_stores);
  for (int program = 0; program < 100'000; ++program) {
    const std::vector<Step> steps = generate_sequences(random);
    ASSERT_NO_FATAL_FAILURE(agree_up_to_the_first_race(Naive(Sequences::own_stores), fast, steps))
        << "program " << program;
  }
}

TEST(Detector, KnowsWhichRacesTheReleaseSequencesOfCxx17WouldOrder) {
  std::mt19937 random(5);
  Fast fast(false, true);
  std::size_t ordered = 0;
  for (int program = 0; program < 100'000; ++program) {
    const std::vector<Step> steps = generate_sequences(random);
    Naive naive;
    Naive older(Sequences::own_stores);
    fast.begin();
    for (std::size_t i = 0; i < steps.size(); ++i) {
      const bool older_races = older.step(steps[i]).value_or(false);
      const bool has_raced = naive.step(steps[i]).value_or(false);
      ASSERT_EQ(has_raced, fast.step(steps[i]).value_or(false));
      if (!has_raced) continue;
      if (older_races && steps[i].what == Do::read) break;  // it is after what it has seen, by the race alone
      const bool would_be = older.is_before(fast.conflict().earlier.site, i);
      ASSERT_EQ(fast.would_be_ordered_by_older_rule(), would_be) << "program " << program << "\n" << text_of(steps);
      ordered += would_be ? 1 : 0;
      break;
    }
  }
  EXPECT_GT(ordered, 100u) << "programs in which the rules never differ prove nothing";
}

TEST(Detector, ClocksBeginAnewAndForgetEverything) {
  HappensBefore order;
  Detector detector(order);
  detector.open();
  const Access write{OperationId{0}, AccessKind::write, 0};
  const Access other{OperationId{1}, AccessKind::write, 0};
  bool began_anew = false;
  for (int execution = 0; execution < 100 || !began_anew; ++execution) {
    ASSERT_LT(execution, 1'000'000);
    const bool anew = order.begin();
    began_anew = began_anew || (anew && execution > 0);
    detector.begin(anew, false);
    order.add(OperationId{0}, kNoOperation);
    order.add(OperationId{1}, OperationId{0});
    for (int i = 0; i < 50'000; ++i) order.release(OperationId{1}, 0);
    EXPECT_EQ(detector.access(write, 0x1000, 8).kind, Conflict::Kind::none) << execution;
    EXPECT_EQ(detector.access(other, 0x1004, 4).kind, Conflict::Kind::race) << execution;
  }
}

TEST(Detector, AFreedBlockMustNotBeAccessedUntilItIsAnother) {
  HappensBefore order;
  Detector detector(order);
  detector.open();
  detector.begin(order.begin(), false);
  order.add(OperationId{0}, kNoOperation);
  const Access read{OperationId{0}, AccessKind::read, 7};
  const Access free{OperationId{0}, AccessKind::free, 9};
  EXPECT_EQ(detector.access(read, 0x2000, 4).kind, Conflict::Kind::none);
  EXPECT_EQ(detector.free(free, 0x2000, 24).kind, Conflict::Kind::none);
  const Conflict conflict = detector.access(read, 0x2014, 4);
  EXPECT_EQ(conflict.kind, Conflict::Kind::freed);
  EXPECT_EQ(conflict.earlier.site, 9u);
  EXPECT_EQ(conflict.address, 0x2014u);
  detector.forget(0x2000, 24);
  EXPECT_EQ(detector.access(read, 0x2014, 4).kind, Conflict::Kind::none);
  EXPECT_EQ(detector.access(read, 0x2018, 4).kind, Conflict::Kind::none) << "beside the block";
}

TEST(Detector, AFreeIsAWrite) {
  HappensBefore order;
  Detector detector(order);
  detector.open();
  detector.begin(order.begin(), false);
  order.add(OperationId{0}, kNoOperation);
  order.add(OperationId{1}, OperationId{0});
  EXPECT_EQ(detector.access({OperationId{1}, AccessKind::read, 0}, 0x2008, 4).kind, Conflict::Kind::none);
  EXPECT_EQ(detector.free({OperationId{0}, AccessKind::free, 0}, 0x2000, 24).kind, Conflict::Kind::race);
}

TEST(Detector, AnAllocationIsAWriteUntilTheBlockIsUsed) {
  HappensBefore order;
  Detector detector(order);
  detector.open();
  detector.begin(order.begin(), false);
  order.add(OperationId{0}, kNoOperation);
  order.add(OperationId{1}, OperationId{0});
  const Access allocate{OperationId{0}, AccessKind::allocate, 5};
  detector.allocate(allocate, 0x3000, 24);
  const Conflict conflict = detector.access({OperationId{1}, AccessKind::read, 0}, 0x3008, 4);
  EXPECT_EQ(conflict.kind, Conflict::Kind::race);
  EXPECT_EQ(conflict.earlier.kind, AccessKind::allocate);
  EXPECT_EQ(conflict.earlier.site, 5u);
  EXPECT_EQ(detector.access({OperationId{0}, AccessKind::write, 6}, 0x3010, 8).kind, Conflict::Kind::none);
  EXPECT_EQ(detector.access({OperationId{1}, AccessKind::read, 0}, 0x3010, 4).earlier.site, 6u);
  order.release(OperationId{0}, 0);
  order.acquire(OperationId{1}, 0);
  EXPECT_EQ(detector.access({OperationId{1}, AccessKind::write, 0}, 0x3000, 8).kind, Conflict::Kind::none);
}

TEST(Detector, AUseOfFreedMemoryIsSeenWithoutRaces) {
  HappensBefore order;
  Detector detector(order);
  detector.open();
  detector.begin(order.begin(), false);
  order.add(OperationId{0}, kNoOperation);
  const Access read{OperationId{0}, AccessKind::read, 7};
  EXPECT_EQ(detector.free({OperationId{0}, AccessKind::free, 9}, 0x2008, 16).kind, Conflict::Kind::none);
  EXPECT_EQ(detector.use_of_freed(read, 0x2000, 8).kind, Conflict::Kind::none);
  const Conflict conflict = detector.use_of_freed(read, 0x2004, 8);
  EXPECT_EQ(conflict.kind, Conflict::Kind::freed);
  EXPECT_EQ(conflict.address, 0x2008u);
  EXPECT_EQ(conflict.earlier.site, 9u);
}

}  // namespace
}  // namespace heddle::races
