// pthread_once, and with it std::call_once. Completion is written into the program's own flag, which outlives the
// execution just as the initialised data does.
#include <pthread.h>

#include "runtime/front.hpp"
#include "runtime/real.hpp"
#include "runtime/tsan/order.hpp"

using namespace heddle;
using namespace heddle::runtime;
using model::EventKind;
using model::ResourceKind;

HEDDLE_REAL(pthread_once);

namespace {

constexpr int kDone = 2;  // glibc's value

void finish(ResourceId id, bool succeeded) {
  releases(id);
  front.at(id).once.end(succeeded);
  front.execution().changed(id);
}

}  // namespace

HEDDLE_EXPORT int pthread_once(pthread_once_t* flag, void (*initialise)()) {
  if (!is_controlled()) return real_pthread_once(flag, initialise);
  front.scheduler().touch_part(model::Footprint::of(flag, ResourceKind::once, model::Does::reads));
  if (*flag == kDone && !memory_is_watched) return 0;  // it stays so: when it was read makes no difference
  const ResourceId id = front.resource(flag, ResourceKind::once, [](model::Resource&) {});
  if (*flag == kDone) {
    acquires(id);
    return 0;
  }
  front.execution().step_when_admitted(event(EventKind::once, id, HEDDLE_PLACE));
  acquires(id);
  if (*flag == kDone) return 0;
  front.at(id).once.begin(front.self());
  front.execution().changed(id);
  try {
    initialise();
  } catch (...) {
    finish(id, false);
    throw;
  }
  *flag = kDone;
  finish(id, true);
  return 0;
}

HEDDLE_ALIAS(__pthread_once, pthread_once);
