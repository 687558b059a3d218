// One monitor: the interpreter without an inbox, and its temperature.
//
// The temperature is not counted step by step: a monitor knows at which step it became hot, so it has a cost only when
// its state changes.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>

#include "actor/interpreter.hpp"
#include "heddle/actor/monitor.hpp"

namespace heddle::actor {

class MonitorCore final : public Interpreter {
 public:
  MonitorCore(System& system, const Table& table, std::unique_ptr<Monitor> object);

  System& system() const { return system_; }
  void start();
  void tell(const EventType& type, const void* event);
  bool is_hot() const { return heat_ == Heat::hot; }
  /// The step at which it has been hot for too long; kNever: it is not hot.
  std::uint64_t overheats_at(std::uint64_t temperature_max) const;
  /// Reports that the monitor was hot for too long, or at the end.
  void report_hot(const std::string& when);
  void violated(std::string_view message);
  static MonitorCore* of(const Monitor& monitor) { return monitor.core_; }

  /// For backends whose machines run concurrently.
  std::mutex& mutex() { return mutex_; }

 private:
  void failed(FailureKind kind, const std::string& what) override;
  void release(EventBox* box) noexcept override;
  void changed(LogRecord::What how, StateIndex state) override;
  void raised(const EventType&) override {}
  void halted() override {}
  void handled() noexcept override {}
  void threw(const std::string&) override {}
  std::string who() const override { return std::string(table().name()); }

  System& system_;
  std::unique_ptr<Monitor> object_;
  std::mutex mutex_;
  Heat heat_ = Heat::warm;
  std::uint64_t hot_since_ = 0;
  std::uint64_t temperature_ = 0;  // accumulated in earlier hot states, since the last cold one
};

}  // namespace heddle::actor
