// The implementation of a Runtime: its options, its backend and its monitors.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "actor/backend.hpp"
#include "actor/monitor_core.hpp"
#include "heddle/actor/runtime.hpp"

namespace heddle::actor {

class System {
 public:
  System(RuntimeOptions options, std::unique_ptr<Backend> backend);

  Backend& backend() { return *backend_; }
  const RuntimeOptions& options() const { return options_; }
  void release(EventBox* box) noexcept {
    box->type->destroy(*box);
    backend_->release(box, box->type->bytes);
  }

  bool is_logging() const { return is_logging_; }
  void log(const LogRecord& record) {
    if (is_logging()) [[unlikely]]
      log_slowly(record);
  }

  /// Called by a backend when the event is put into the inbox.
  void log_sent(MachineCore* from, MachineId to, const EventBox& box) {
    if (is_logging()) [[unlikely]]
      log_sent_slowly(from, to, box);
  }

  /// Drops an event for a machine that has halted in this state; any thread may call it.
  void drop(EventBox* box, MachineId of, std::string_view state);

  void add_monitor(TypeInfo& type, const Table& table, std::unique_ptr<Monitor> object);
  /// Null: the runtime has no such monitor.
  MonitorCore* monitor(const TypeInfo& type);
  /// The first step at which some monitor has been hot for too long.
  std::uint64_t overheats_at() const { return overheats_at_; }
  void heat_changed();
  /// Called when that step is reached.
  void overheated();

  void wait() { backend_->wait(); }
  void stop();
  void abort();

 private:
  void check_end();
  void log_slowly(const LogRecord& record);
  void log_sent_slowly(MachineCore* from, MachineId to, const EventBox& box);

  RuntimeOptions options_;
  std::unique_ptr<Backend> backend_;
  std::vector<std::pair<const TypeInfo*, std::unique_ptr<MonitorCore>>> monitors_;
  std::uint64_t overheats_at_ = Backend::kNever;
  bool is_logging_;
  std::atomic<bool> has_ended_{false};  // a thread may abort what another is stopping
};

}  // namespace heddle::actor
