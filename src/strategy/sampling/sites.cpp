// Site priorities: what happens at a place in the code has a priority, whichever operation does it.
//
// A site is a place in the code together with what happens there. In each execution every site gets a random priority,
// and the enabled operation whose next event has the highest one goes. So many similar operations are held at one line,
// or let through it, together. Whether a bug is met depends on how many places take part in it, not on how many threads
// do. If two operations are at the same site, each operation's own random priority decides. As in PCT, `changes` sites
// lose their priority on the way: at that many random choices, the site that goes falls below all initial priorities.
//
// In a random half of the executions only one site has a priority: a known site, below all others. The operations' own
// priorities decide the rest. Holding back one place is what most bugs of many threads need, and it is the strongest
// move of RFF's mutations. In three of four executions, an event that releases a lock goes at once: holding it back
// only delays others. In half of the executions a place counts once for each resource that is met there, so that a lock
// function that all code calls is not a single site.
//
// An execution that is twice as long as the longest that ended by itself, and longer than 1,000 choices, continues at
// random: an operation may be waiting in a loop for a place that is held back.
//
// It follows no published algorithm. It promises nothing for a bug in which similar operations must be treated
// differently at one place, and it is not fair.
#include <algorithm>

#include "base/page_vector.hpp"
#include "model/dependence.hpp"
#include "strategy/builtin.hpp"
#include "strategy/support/learned_length.hpp"
#include "strategy/support/names.hpp"
#include "strategy/support/randomised.hpp"

namespace heddle::strategy {
namespace {

class SitePriorities final : public Randomised {
 public:
  explicit SitePriorities(std::uint32_t changes) : changes_(changes) {}

  bool begin(Random& random) override {
    salt_ = random.next();
    by_resource_ = random.below(2) != 0;
    releases_at_once_ = random.below(4) != 0;
    const CommonVector<std::uint32_t>& holdable = by_resource_ ? holdable_pairs_ : holdable_;
    const auto count = static_cast<std::uint32_t>(holdable.size());
    held_ = count > 0 && random.below(2) != 0 ? holdable[random.below(count)] : kNoSite;
    choices_ = 0;
    patience_ = length_.value() > 0 ? std::max(kPatienceLeast, 2 * length_.value()) : ~0u;
    lowered_ = 0;
    resources_.begin();
    low_.clear();
    standing_.clear();
    change_at_.clear();
    if (length_.value() > 0)
      for (std::uint32_t i = 0; i < changes_; ++i) change_at_.push_back(1 + random.below(length_.value()));
    return Randomised::begin(random);
  }

  OperationId choose_operation(const ScheduleView& view) override {
    if (++choices_ > patience_) [[unlikely]]
      return any_of(view.enabled);
    Rank best;
    OperationId highest = kNoOperation;
    std::uint32_t site_of_highest = 0;
    for (OperationId id : view.enabled) {
      const Standing& standing = where(view, id);
      const Rank rank{has_paused(view, id) ? 0 : standing.priority, standing.own};
      if (highest != kNoOperation && !(best < rank)) continue;
      best = rank;
      highest = id;
      site_of_highest = standing.site;
    }
    for (const std::uint32_t at : change_at_)
      if (at == choices_) lower(site_of_highest);
    return highest;
  }

  void end(const ExecutionSummary& summary) override { length_.learn(choices_, summary.verdict); }

 private:
  static constexpr std::uint32_t kNoSite = ~0u;
  static constexpr std::uint32_t kPatienceLeast = 1000;  // choices
  static constexpr std::uint64_t kAtOnce = ~0ull;
  static constexpr std::uint64_t kInitial = 1ull << 63;  // above every lowered site

  struct Rank {
    std::uint64_t site = 0;
    std::uint64_t operation = 0;
    bool operator<(const Rank& other) const {
      return site != other.site ? site < other.site : operation < other.operation;
    }
  };

  static bool has_paused(const ScheduleView& view, OperationId id) {
    return (id == view.current && view.current_yields) || model::is_pause(view.next(id).kind);
  }

  /// Where an operation is, looked up once for each of its events.
  struct Standing {
    const void* place = nullptr;
    std::uint64_t priority = 0;
    std::uint64_t own = 0;  // 0: never looked up
    ResourceId resource = kNoResource;
    std::uint32_t site = 0;
    model::EventKind kind = model::EventKind::step;
  };

  const Standing& where(const ScheduleView& view, OperationId id) {
    if (index(id) >= standing_.size()) [[unlikely]]
      standing_.resize(index(id) + 1);
    Standing& standing = standing_[index(id)];
    const model::Event& event = view.next(id);
    if (standing.own == 0 || standing.place != event.place || standing.kind != event.kind ||
        standing.resource != event.resource) {
      const std::uint32_t site = site_of(view, event);
      const bool at_once = releases_at_once_ && model::gives_back(event.kind);
      standing = {event.place, at_once ? kAtOnce : priority(site), own_priority(id), event.resource, site, event.kind};
    }
    return standing;
  }

  std::uint32_t site_of(const ScheduleView& view, const model::Event& event) {
    const std::uint32_t place = sites_(event);
    know(place, event, known_, holdable_);
    if (!by_resource_) return place;
    const std::uint32_t pair = both_(std::uint64_t{place} << 32 | resources_(view, event.resource));
    know(pair, event, known_pairs_, holdable_pairs_);
    return pair;
  }

  // Holding back an event that touches nothing, or that releases something, achieves nothing.
  static void know(std::uint32_t site, const model::Event& event, std::uint32_t& known,
                   CommonVector<std::uint32_t>& holdable) {
    if (site < known) [[likely]]
      return;
    known = site + 1;
    if (competes(event)) holdable.push_back(site);
  }

  std::uint64_t priority(std::uint32_t site) const {
    if (site < low_.size() && low_[site] != 0) [[unlikely]]
      return low_[site];
    if (held_ != kNoSite) return site == held_ ? 1 : kInitial;
    return mix(salt_ + site * kGolden) | kInitial;
  }
  std::uint64_t own_priority(OperationId id) const { return mix(salt_ ^ ~std::uint64_t{index(id)}) | 1; }

  void lower(std::uint32_t site) {
    if (low_.size() <= site) low_.resize(site + 1);
    low_[site] = kInitial - ++lowered_;
    standing_.clear();
  }

  std::uint32_t changes_;
  std::uint64_t salt_ = 0;
  bool by_resource_ = false;
  bool releases_at_once_ = true;
  std::uint32_t held_ = kNoSite;  // the only site with a priority
  std::uint32_t choices_ = 0;
  std::uint32_t patience_ = 0;  // choices decided by priority
  std::uint32_t lowered_ = 0;
  SiteNames sites_;
  ResourceNames resources_;
  Interned both_;                         // places with their resources
  std::uint32_t known_ = 0;               // number of sites_ known
  std::uint32_t known_pairs_ = 0;         // number of both_ known
  CommonVector<std::uint32_t> holdable_;  // indices in sites_
  CommonVector<std::uint32_t> holdable_pairs_;
  CommonVector<std::uint64_t> low_;        // indexed by site: its priority once it was lowered
  CommonVector<std::uint32_t> change_at_;  // choices
  CommonVector<Standing> standing_;        // indexed by operation
  LearnedLength length_;
};

}  // namespace

std::unique_ptr<Strategy> make_site_priorities(std::uint32_t changes) {
  return std::make_unique<SitePriorities>(changes);
}

}  // namespace heddle::strategy
