#include "heddle/actor/test_kit.hpp"

#include <algorithm>
#include <deque>

#include "actor/backend.hpp"
#include "actor/core.hpp"
#include "actor/system.hpp"

namespace heddle {

using namespace actor;

namespace {

class Peer : public Machine {
 public:
  struct Only;
  static void declare(Declaration<Peer>& is) { is.state<Only>().start(); }
};

/// Runs the first machine when it is given an event, and records what it does to others.
class KitBackend final : public Backend {
 public:
  struct Sent {
    MachineCore* to;
    EventBox* box;
  };
  struct Timer {
    std::uint32_t number;
    EventBox* box;
    bool is_periodic;
  };

  void* allocate(std::size_t bytes) override { return ::operator new(bytes); }
  void release(void* block, std::size_t) noexcept override { ::operator delete(block); }
  void before_create(MachineCore*, const void*) override {}
  MachineCore& enroll(System& system, const Table& table, std::string_view name) override {
    const auto number = static_cast<std::uint32_t>(machines.size() + 1);
    return *machines.emplace_back(std::make_unique<MachineCore>(system, table, name, number));
  }
  void begin(MachineCore& machine) override {
    if (&machine != &tested()) return;
    machine.start();
    run();
  }
  void send(MachineCore* from, MachineId to, EventBox* box, const SendOptions& options, const void*) override {
    MachineCore& target = *MachineCore::of(to);
    box->must_handle = options.must_handle;
    target.system().log_sent(from, to, *box);
    if (&target != &tested())
      sent.push_back({&target, box});
    else if (target.has_halted())
      target.drop(box);
    else
      target.deliver(box);
  }
  std::uint32_t choose(MachineCore&, std::uint32_t bound, bool) override {
    if (choices.empty()) return 0;
    const std::uint32_t value = choices.front();
    choices.pop_front();
    return std::min(value, bound - 1);
  }
  TimerId start_timer(MachineCore&, std::chrono::nanoseconds, std::chrono::nanoseconds period, EventBox* box) override {
    timers.push_back({++last_timer_, box, period.count() > 0});
    return {last_timer_};
  }
  void stop_timer(MachineCore& of, TimerId id) override {
    const auto at = std::find_if(timers.begin(), timers.end(), [&](auto& timer) { return timer.number == id.number; });
    if (at == timers.end()) return;
    of.system().release(at->box);
    timers.erase(at);
  }
  void halted(MachineCore& machine) override {
    for (const Timer& timer : timers) machine.system().release(timer.box);
    timers.clear();
  }
  void fail(FailureKind kind, const std::string& message) override { failures.push_back({kind, message}); }
  void wait() override {}
  void end(bool) override {}
  void for_each(const std::function<void(MachineCore&)>& function) override { function(tested()); }
  Metrics metrics() const override { return {}; }

  MachineCore& tested() const { return *machines.front(); }
  void run() {
    for (MachineCore& machine = tested();;) {
      if (machine.step()) continue;
      if (!machine.wants_idle()) return;
      machine.idle();
    }
  }

  std::vector<std::unique_ptr<MachineCore>> machines;  // the first is the machine under test
  std::vector<Sent> sent;
  std::vector<Timer> timers;  // running ones, in the order in which they were started
  std::deque<std::uint32_t> choices;
  std::vector<Failure> failures;

 private:
  std::uint32_t last_timer_ = 0;
};

}  // namespace

struct TestKitBase::Inside {
  Inside() : system({}, std::make_unique<KitBackend>()), backend(static_cast<KitBackend&>(system.backend())) {}
  ~Inside() {
    for (const auto& sent : backend.sent) system.release(sent.box);
    for (const auto& timer : backend.timers) system.release(timer.box);
    backend.machines.clear();  // while the backend still exists to take back their blocks
  }

  System system;
  KitBackend& backend;
};

TestKitBase::TestKitBase() : inside_(std::make_unique<Inside>()) {}
TestKitBase::~TestKitBase() = default;

void TestKitBase::start(const Table& table, Factory factory) {
  id_ = create(inside_->system, nullptr, table, {}, factory, nullptr);
}

System& TestKitBase::system() { return inside_->system; }
Machine* TestKitBase::object() const { return inside_->backend.tested().object(); }
MachineId TestKitBase::peer() { return create_machine<Peer>(inside_->system, nullptr, {}); }

void TestKitBase::give(EventBox* box) {
  inside_->backend.send(nullptr, inside_->backend.tested().id(), box, {}, nullptr);
  inside_->backend.run();
}

void TestKitBase::set_choices(std::vector<std::uint32_t> choices) {
  inside_->backend.choices.assign(choices.begin(), choices.end());
}

bool TestKitBase::fire_timer() {
  auto& timers = inside_->backend.timers;
  if (timers.empty()) return false;
  EventBox* box = timers.front().box;
  if (timers.front().is_periodic)
    box = box->type->copy(*box, inside_->backend.allocate(box->type->bytes));
  else
    timers.erase(timers.begin());
  give(box);
  return true;
}

std::size_t TestKitBase::running_timers() const { return inside_->backend.timers.size(); }

bool TestKitBase::is_in_state(const TypeInfo& state) const {
  const MachineCore& core = inside_->backend.tested();
  return core.table().find(state) == core.top();
}

std::string_view TestKitBase::state() const { return inside_->backend.tested().state_name(); }
std::size_t TestKitBase::state_depth() const { return inside_->backend.tested().stack().size(); }
std::size_t TestKitBase::inbox_size() const { return inside_->backend.tested().inbox().size(); }
bool TestKitBase::is_receiving() const { return inside_->backend.tested().receiving() != nullptr; }
bool TestKitBase::has_halted() const { return inside_->backend.tested().has_halted(); }
const std::vector<Failure>& TestKitBase::failures() const { return inside_->backend.failures; }

std::size_t TestKitBase::sent_count() const { return inside_->backend.sent.size(); }
MachineId TestKitBase::sent_to(std::size_t index) const { return inside_->backend.sent.at(index).to->id(); }
std::string_view TestKitBase::sent_name(std::size_t index) const {
  return inside_->backend.sent.at(index).box->type->name;
}
const void* TestKitBase::sent_value(std::size_t index, const EventType& type) const {
  if (index >= sent_count() || inside_->backend.sent[index].box->type != &type) return nullptr;
  return inside_->backend.sent[index].box->value();
}
void TestKitBase::forget_sent() {
  for (const auto& sent : inside_->backend.sent) inside_->system.release(sent.box);
  inside_->backend.sent.clear();
}

}  // namespace heddle
