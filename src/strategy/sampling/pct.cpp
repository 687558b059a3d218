// PCT: probabilistic concurrency testing. Burckhardt, Kothari, Musuvathi and Nagarakatte, ASPLOS 2010, as given in the
// SCTBench study (Thomson, Donaldson and Betts 2016, section 2.7).
//
// Operations get distinct random priorities, and the highest enabled one always goes. At d-1 points, each uniform in 1
// … k, the operation that has just gone falls to priority i, below all initial ones. If a bug needs d ordering
// constraints between events of n operations, one execution of at most k choices meets it with probability at least 1 /
// (n k^(d-1)).
//
// Differs from the paper in four ways:
// - k counts only steps where two or more operations were enabled, and change points are placed only after such steps.
//   A forced step needs no change point of its own: lowering its operation after the last choice it won has the same
//   effect. So the guarantee holds with this smaller k.
// - k is learned (learned_length.hpp). The first execution has no change points.
// - Priorities are drawn when an operation is first seen, as independent 63-bit numbers; n need not be known.
// - Values (which waiter wakes, what choose(n) returns) are drawn uniformly; the paper has none.
//
// An operation that yields keeps its priority. The scheduler's fairness lets operations behind a spin loop go on, one
// step at a time.
#include "strategy/builtin.hpp"
#include "strategy/sampling/priorities.hpp"
#include "strategy/support/learned_length.hpp"
#include "strategy/support/randomised.hpp"

namespace heddle::strategy {
namespace {

class Pct final : public Randomised {
 public:
  explicit Pct(std::uint32_t depth) : priorities_(depth) {}

  bool begin(Random& random) override {
    priorities_.begin(random, length_.value());
    return Randomised::begin(random);
  }
  OperationId choose_operation(const ScheduleView& view) override { return priorities_.choose(view.enabled); }
  void end(const ExecutionSummary& summary) override { length_.learn(priorities_.choices(), summary.verdict); }

 private:
  Priorities priorities_;
  LearnedLength length_;
};

}  // namespace

std::unique_ptr<Strategy> make_pct(std::uint32_t depth) { return std::make_unique<Pct>(depth); }

}  // namespace heddle::strategy
