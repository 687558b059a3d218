#include "preload/forked.hpp"

namespace heddle::preload {

Forked::Forked(engine::InProcess& inner, engine::Carrier& carrier, Streams& streams, Channel& channel)
    : inner_(inner), carrier_(carrier), streams_(streams), report_(channel), start_(streams.here()) {}

engine::ExecutionResult Forked::run(engine::Chooser chooser, bool record) {
  streams_.put_back(start_);
  const engine::ExecutionResult result = report_.of_copy([&] { return inner_.run(chooser, record); });
  carrier_.keep_ready(result.contexts);  // the next copies will need as many
  return result;
}

}  // namespace heddle::preload
