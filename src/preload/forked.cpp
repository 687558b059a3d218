#include "preload/forked.hpp"

namespace heddle::preload {

Forked::Forked(engine::InProcess& inner, engine::Carrier& carrier, Streams& streams, Board& board)
    : inner_(inner), carrier_(carrier), streams_(streams), board_(board), report_(board), start_(streams.here()) {}

engine::ExecutionResult Forked::run(strategy::Strategy& strategy, bool record) {
  report_.expect();
  streams_.put_back(start_);
  const int process = fork_copy();
  if (process == 0) report_.tell(inner_.run(strategy, record));
  board_.counts.process.store(process, std::memory_order_relaxed);
  const int status = wait_for_copy(process);
  board_.counts.process.store(0, std::memory_order_relaxed);
  const engine::ExecutionResult result = report_.read(status);
  carrier_.keep_ready(result.operations);  // the next copies will need as many
  return result;
}

}  // namespace heddle::preload
