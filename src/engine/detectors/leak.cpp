#include "engine/detectors/leak.hpp"

#include "engine/detectors/sentence.hpp"

namespace heddle::engine {

OperationId find_leaked(const Scheduler& scheduler, std::span<const ResourceId> lifetimes) {
  for (std::uint32_t i = index(kMainOperation) + 1; i < lifetimes.size(); ++i) {
    const model::Lifetime& lifetime = scheduler.resource(lifetimes[i]).lifetime;
    if (!lifetime.is_detached() && !lifetime.is_joined()) return OperationId{i};
  }
  return kNoOperation;
}

Leak explain_leak(OperationId leaked) {
  Leak leak;
  Sentence(leak.text).add("T%u ended and was neither joined nor detached", index(leaked));
  return leak;
}

}  // namespace heddle::engine
