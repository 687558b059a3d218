#include "runtime/environment.hpp"

#include "engine/environment.hpp"
#include "runtime/front.hpp"
#include "runtime/io/waiting.hpp"
#include "runtime/process/children.hpp"
#include "runtime/signals/signals.hpp"

namespace heddle::runtime {
namespace {

class OfProcess final : public engine::Environment {
 public:
  bool look() override { return io::waiting.look(); }
  void time_passed() override { io::waiting.time_passed(); }
  bool is_awaited() const override { return io::waiting.is_awaited(); }
  bool wait(std::uint32_t milliseconds) override {
    return wait_for_children() || (io::waiting.is_awaited() && io::waiting.wait(milliseconds));
  }
  void attend() override { signals.send_noted(); }
};
OfProcess environment;

}  // namespace

void use_environment() { front.scheduler().set_environment(&environment); }

}  // namespace heddle::runtime
