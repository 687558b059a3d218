#include "engine/detectors/misuse.hpp"

#include "engine/detectors/sentence.hpp"
#include "engine/execution.hpp"

namespace heddle::engine {

void tell_misuse(Execution& execution, model::Misuse what, std::string_view sentence) {
  if (execution.scheduler().settings().allow.has(what)) return;
  char text[sizeof Verdict::message];
  Sentence verdict(text);
  verdict.add("T%u %.*s [%s]", index(execution.self()), static_cast<int>(sentence.size()), sentence.data(),
              name(what).data());
  execution.fail(VerdictKind::misuse, text);
}

bool find_relock(Execution& execution, OperationId who) {
  Scheduler& scheduler = execution.scheduler();
  const model::Event next = scheduler.next(who);
  if (next.kind != model::EventKind::lock || !scheduler.resource(next.resource).mutex.is_relock(who)) return false;
  char text[100];
  Sentence(text).add("locks %s, which it holds already", described(scheduler, next.resource).text);
  tell_misuse(execution, model::Misuse::relock, text);
  scheduler.stand_slowly(who, next);
  return true;
}

}  // namespace heddle::engine
