// SURW: selective uniform random walk. Zhao, Wolff, Mathur and Roychoudhury, ASPLOS 2025.
//
// Each execution selects one shared resource, in proportion to how often it is used. It makes the order of the events
// at that resource uniform, as URW does for all events. To do so, it draws which operation's event at the resource is
// next, in proportion to how many events each operation has left there. Other operations that reach such an event are
// parked until it is done. In between, every event has a random priority, drawn when its operation reaches it. A bug
// that depends on one object is then met with a chance that does not depend on how much else goes on.
//
// Differs from the paper in three ways. How often each operation uses each resource is learned from every execution
// rather than from one profiling run, so the first execution has no selection. The next operation is drawn among the
// enabled ones, because looking at the others would cost time in proportion to their number. Values are uniform.
#include <algorithm>

#include "base/page_vector.hpp"
#include "strategy/builtin.hpp"
#include "strategy/support/names.hpp"
#include "strategy/support/randomised.hpp"
#include "strategy/support/shared_resources.hpp"

namespace heddle::strategy {
namespace {

class SelectiveWalk final : public Randomised, private StepWatcher {
 public:
  bool begin(Random& random) override {
    Randomised::begin(random);
    names_.begin();
    resources_.begin();
    now_.clear();
    ++round_;
    intended_ = kNoOperation;
    selected_ = select();
    return true;
  }

  // The operation with the highest priority goes, unless it is at an event of the selected resource and is not the
  // intended one. Then it is parked, and the next is considered. This takes one pass here, and one more if any is
  // parked.
  OperationId choose_operation(const ScheduleView& view) override {
    for (;;) {
      const Highest highest = look(view);
      if (highest.any == kNoOperation) {  // all are parked
        unpark_all();
        continue;
      }
      if (highest.any == highest.free) return highest.free;
      if (intended_ == kNoOperation) intended_ = draw(view);
      OperationId next = highest.free;
      if (can_go(view, intended_) && priority(intended_) > priority(next)) next = intended_;
      park_above(view, next);
      if (next != kNoOperation) return next;
    }
  }

  void end(const ExecutionSummary&) override {
    for (const std::uint32_t pair : touched_) {
      Pair& use = pairs_[pair];
      use.expected = use.expected == 0 ? use.now : (use.expected + use.now) / 2;
      use.now = 0;
    }
    touched_.clear();
  }

  StepWatcher* watcher() override { return this; }

 private:
  struct Now {
    std::uint64_t priority = 0;  // of its next event; 0: to be drawn
    double left = 0;             // events left at the selected resource, including those of its future children
    std::uint64_t parked = 0;    // the round in which it was parked
    OperationId parent = kNoOperation;
  };
  struct Pair {
    double expected = 0;
    double now = 0;
  };

  void on_step(const ScheduleView& view, OperationId who) override {
    meet(view, who);
    now_[index(who)].priority = 0;
    const std::uint32_t resource = resources_.use(view, who);
    if (resource == ResourceNames::kNone) return;
    for (OperationId user = who; index(user) < now_.size(); user = now_[index(user)].parent)
      count(resource, names_.known(user));
    count(resource, kEverybody);
    if (resource != selected_) return;
    now_[index(who)].left -= 1;
    unpark_all();
  }

  void count(std::uint32_t resource, std::uint32_t user) {
    const std::uint32_t pair = pair_of(resource, user);
    if (pairs_.size() <= pair) pairs_.resize(pair + 1);
    if (pairs_[pair].now == 0) {
      touched_.push_back(pair);
      if (user == kEverybody && pairs_[pair].expected == 0) used_.push_back({resource, pair});
    }
    pairs_[pair].now += 1;
  }

  std::uint32_t pair_of(std::uint32_t resource, std::uint32_t user) {
    return pair_names_(std::uint64_t{resource} << 32 | user);
  }

  std::uint32_t select() {
    double total = 0;
    for (const Used& used : used_)
      if (resources_.is_racy(used.resource)) total += pairs_[used.pair].expected;
    double at = random_->unit() * total;
    for (const Used& used : used_) {
      if (!resources_.is_racy(used.resource)) continue;
      at -= pairs_[used.pair].expected;
      if (at < 0) return used.resource;
    }
    return ResourceNames::kNone;
  }

  bool is_interesting(const ScheduleView& view, OperationId id) {
    const model::Event& event = view.next(id);
    return selected_ != ResourceNames::kNone && event.resource != kNoResource &&
           resources_.name(view, event.resource) == selected_;
  }

  struct Highest {
    OperationId any = kNoOperation;
    OperationId free = kNoOperation;  // among operations whose next event is not at the selected resource
  };
  Highest look(const ScheduleView& view) {
    Highest highest;
    for (OperationId id : view.enabled) {
      meet(view, id);
      Now& now = now_[index(id)];
      if (now.parked == round_) continue;
      if (now.priority == 0) now.priority = random_->next() | 1;
      if (now.priority > priority(highest.any)) highest.any = id;
      if (now.priority > priority(highest.free) && !is_interesting(view, id)) highest.free = id;
    }
    return highest;
  }

  std::uint64_t priority(OperationId id) const { return id == kNoOperation ? 0 : now_[index(id)].priority; }

  bool can_go(const ScheduleView& view, OperationId id) const {
    return now_[index(id)].parked != round_ && std::binary_search(view.enabled.begin(), view.enabled.end(), id);
  }

  void park_above(const ScheduleView& view, OperationId next) {
    for (OperationId id : view.enabled)
      if (id != intended_ && priority(id) > priority(next) && is_interesting(view, id)) now_[index(id)].parked = round_;
  }

  OperationId draw(const ScheduleView& view) {
    double total = 0;
    for (OperationId id : view.enabled)
      if (now_[index(id)].parked != round_) total += weight(id);
    double at = random_->unit() * total;
    OperationId last = kNoOperation;
    for (OperationId id : view.enabled) {
      if (now_[index(id)].parked == round_) continue;
      at -= weight(id);
      last = id;
      if (at < 0) break;
    }
    return last;
  }
  // An operation with more events left than expected is not shut out.
  double weight(OperationId id) const { return std::max(now_[index(id)].left, kLeast); }

  void unpark_all() {
    ++round_;
    intended_ = kNoOperation;
  }

  void meet(const ScheduleView& view, OperationId who) {
    while (now_.size() <= index(who)) [[unlikely]] {
        const OperationId id{static_cast<std::uint32_t>(now_.size())};
        const std::uint32_t name = names_(view, id);
        Now now;
        now.parent = view.parent(id);
        if (selected_ != ResourceNames::kNone) {
          const std::uint32_t pair = pair_of(selected_, name);
          if (pair < pairs_.size()) now.left = pairs_[pair].expected;
        }
        if (index(now.parent) < now_.size()) {
          double& of_parent = now_[index(now.parent)].left;
          if (intended_ == now.parent && now.left > 0 && random_->unit() * of_parent < now.left) intended_ = id;
          of_parent -= now.left;
        }
        now_.push_back(now);
      }
  }

  static constexpr std::uint32_t kEverybody = ~0u;
  static constexpr double kLeast = 0.01;

  struct Used {
    std::uint32_t resource;
    std::uint32_t pair;  // of the resource and kEverybody
  };

  OperationNames names_;
  SharedResources resources_;
  CommonVector<Now> now_;  // indexed by operation
  Interned pair_names_;    // pairs of a resource and an operation's name
  CommonVector<Pair> pairs_;
  CommonVector<std::uint32_t> touched_;  // pairs, in this execution
  CommonVector<Used> used_;              // every resource that was used
  std::uint64_t round_ = 0;              // increases when all are unparked
  std::uint32_t selected_ = ResourceNames::kNone;
  OperationId intended_ = kNoOperation;  // the operation whose event at the selected resource is next
};

}  // namespace

std::unique_ptr<Strategy> make_selective_walk() { return std::make_unique<SelectiveWalk>(); }

}  // namespace heddle::strategy
