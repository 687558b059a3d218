#include "preload/pristine_process.hpp"

#include <linux/futex.h>
#include <sys/syscall.h>

#include "base/raw.hpp"

namespace heddle::preload {

void PristineProcess::start() {
  if (fork_sibling() == 0) live();
}

/// The memory that the result points to is shared by all processes.
engine::ExecutionResult PristineProcess::run(engine::Chooser chooser, bool record) {
  shared_->chooser = chooser;
  shared_->record = record;
  give_turn(kPristine);
  await_turn(kExplorer);
  return shared_->result;
}

void PristineProcess::live() {
  adopt_strays();
  for (;;) {
    await_turn(kPristine);
    inner_.set_points(shared_->points);
    inner_.set_choices(shared_->choices);
    shared_->result = inner_.run(*shared_->chooser, shared_->record);
    give_turn(kExplorer);
  }
}

void PristineProcess::give_turn(Turn to) {
  shared_->turn.store(to, std::memory_order_release);
  raw::syscall6(SYS_futex, reinterpret_cast<long>(&shared_->turn), FUTEX_WAKE, 1, 0, 0, 0);
}

void PristineProcess::await_turn(Turn mine) const {
  for (;;) {
    const std::uint32_t now = shared_->turn.load(std::memory_order_acquire);
    if (now == mine) return;
    raw::syscall6(SYS_futex, reinterpret_cast<long>(&shared_->turn), FUTEX_WAIT, static_cast<long>(now), 0, 0, 0);
  }
}

}  // namespace heddle::preload
