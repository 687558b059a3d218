// A process kept in the state of the program before `main`. It is forked for every execution that starts there, while
// the exploring process has moved on.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>

#include "engine/isolation.hpp"
#include "preload/forked.hpp"

namespace heddle::preload {

class PristineProcess {
 public:
  PristineProcess(Forked& inner, const engine::Settings& settings) : inner_(inner), shared_(new Shared) {
    shared_->points = settings.points;
    shared_->choices = settings.choices;
  }

  /// From now on, `run` starts with the program in its current state.
  void start();
  void set_points(engine::Points points) { shared_->points = points; }
  void set_choices(engine::Choices choices) { shared_->choices = choices; }
  engine::ExecutionResult run(engine::Chooser chooser, bool record);

 private:
  enum Turn : std::uint32_t { kExplorer, kPristine };

  struct Shared {
    std::atomic<std::uint32_t> turn{kExplorer};
    std::optional<engine::Chooser> chooser;
    engine::Points points = engine::Points::racy;
    engine::Choices choices = engine::Choices::all;
    bool record = false;
    engine::ExecutionResult result;
  };

  [[noreturn]] void live();
  void give_turn(Turn to);
  void await_turn(Turn mine) const;

  Forked& inner_;
  Shared* shared_;
};

}  // namespace heddle::preload
