#include "actor/monitor_core.hpp"

#include <limits>

#include "actor/system.hpp"

namespace heddle::actor {

MonitorCore::MonitorCore(System& system, const Table& table, std::unique_ptr<Monitor> object)
    : Interpreter(table, object.get()), system_(system), object_(std::move(object)) {
  object_->core_ = this;
}

void MonitorCore::start() { enter_start(); }

void MonitorCore::tell(const EventType& type, const void* event) {
  system_.backend().enter(*this);
  if (system_.is_logging()) system_.log({LogRecord::What::told, {}, {}, state_name(), type.name, table().name()});
  if (!is_halted()) handle(type, const_cast<void*>(event));
  system_.backend().leave(*this);
}

void MonitorCore::changed(LogRecord::What, StateIndex state) {
  const std::uint64_t now = system_.backend().steps();
  if (heat_ == Heat::hot) temperature_ += now - hot_since_;
  heat_ = table().state(state).heat;
  hot_since_ = now;
  if (heat_ == Heat::cold) temperature_ = 0;
  system_.heat_changed();
}

std::uint64_t MonitorCore::overheats_at(std::uint64_t temperature_max) const {
  if (heat_ != Heat::hot || temperature_max == Backend::kNever) return Backend::kNever;
  return hot_since_ + (temperature_max > temperature_ ? temperature_max - temperature_ : 0);
}

void MonitorCore::report_hot(const std::string& when) {
  system_.backend().fail(FailureKind::specification,
                         who() + " is hot in state " + std::string(state_name()) + " " + when);
}

void MonitorCore::violated(std::string_view message) {
  const EventType* const event = event_type();
  failed(FailureKind::specification,
         (event != nullptr ? "on " + std::string(event->name) + ": " : ": ") + std::string(message));
  abandon();
}

void MonitorCore::failed(FailureKind kind, const std::string& what) {
  const bool is_violation = kind == FailureKind::specification || kind == FailureKind::unhandled_event;
  system_.backend().fail(is_violation ? FailureKind::specification : kind,
                         who() + " in state " + std::string(state_name()) + " " + what);
}

void MonitorCore::release(EventBox* box) noexcept { system_.release(box); }

}  // namespace heddle::actor
