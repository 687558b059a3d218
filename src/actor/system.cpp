#include "actor/system.hpp"

#include <algorithm>

#include "actor/core.hpp"

namespace heddle::actor {

System::System(RuntimeOptions options, std::unique_ptr<Backend> backend)
    : options_(std::move(options)),
      backend_(std::move(backend)),
      is_logging_(static_cast<bool>(options_.log) || backend_->is_logging()) {}

void System::log_slowly(const LogRecord& record) {
  if (options_.log) options_.log(record);
  if (backend_->is_logging()) backend_->log(record);
}

void System::log_sent_slowly(MachineCore* from, MachineId to, const EventBox& box) {
  if (from != nullptr)
    from->log(LogRecord::What::sent, box.type->name, {}, to);
  else
    log_slowly({LogRecord::What::sent, {}, to, {}, box.type->name, {}});
}

void System::drop(EventBox* box, MachineId of, std::string_view state) {
  const std::string_view event = box->type->name;
  const bool must_handle = box->must_handle;
  log({LogRecord::What::dropped, of, {}, state, event, {}});
  release(box);
  if (must_handle)
    backend_->fail(FailureKind::specification,
                   of.text() + " halted without handling " + std::string(event) + ", which was sent as must_handle");
}

void System::add_monitor(TypeInfo& type, const Table& table, std::unique_ptr<Monitor> object) {
  if (monitor(type) != nullptr)
    throw ActorError("heddle: the runtime has the monitor " + std::string(type.name) + " already");
  MonitorCore& added =
      *monitors_.emplace_back(&type, std::make_unique<MonitorCore>(*this, table, std::move(object))).second;
  added.start();
}

MonitorCore* System::monitor(const TypeInfo& type) {
  for (const auto& [known, core] : monitors_)  // only a few
    if (known == &type) return core.get();
  return nullptr;
}

void System::heat_changed() {
  if (backend_->temperature_max() == Backend::kNever) return;
  overheats_at_ = Backend::kNever;
  for (const auto& [type, core] : monitors_)
    overheats_at_ = std::min(overheats_at_, core->overheats_at(backend_->temperature_max()));
}

void System::overheated() {
  for (const auto& [type, core] : monitors_)
    if (core->overheats_at(backend_->temperature_max()) <= backend_->steps())
      core->report_hot("for " + std::to_string(backend_->temperature_max()) + " steps");
}

void System::stop() {
  if (has_ended_) return;
  backend_->wait();
  if (has_ended_.exchange(true)) return;
  check_end();
  backend_->end(false);
}

void System::abort() {
  if (!has_ended_.exchange(true)) backend_->end(true);
}

void System::check_end() {
  backend_->for_each([&](MachineCore& machine) {
    if (machine.receiving() == nullptr) return;
    backend_->fail(FailureKind::deadlock, machine.who() + " in state " + std::string(machine.state_name()) +
                                              " waits for " + machine.receiving()->names() +
                                              ", which nobody is left to send");
  });
  for (const auto& [type, core] : monitors_)
    if (core->is_hot()) core->report_hot("at the end");
}

}  // namespace heddle::actor
