#include "engine/detectors/leak.hpp"

#include "engine/detectors/sentence.hpp"
#include "engine/execution.hpp"

namespace heddle::engine {

void find_leak(Execution& execution) {
  for (std::uint32_t i = index(kMainOperation) + 1; i < execution.scheduler().operation_count(); ++i) {
    const model::Lifetime& lifetime = execution.lifetime_of(OperationId{i}).lifetime;
    if (lifetime.is_detached() || lifetime.is_joined()) continue;
    char text[100];
    Sentence(text).add("T%u ended and was neither joined nor detached", i);
    execution.fail(VerdictKind::leaked_thread, text);
  }
}

}  // namespace heddle::engine
