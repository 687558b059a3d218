#include "oracle/snapshot.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace heddle::oracle {
namespace {

using model::EventKind;
using model::Resource;
using model::ResourceKind;

class Snapshot {
 public:
  Snapshot(engine::Scheduler& scheduler, const Threads& threads) : scheduler_(scheduler), threads_(threads) {}

  std::string text() {
    std::string text = "now " + std::to_string(scheduler_.now()) + "\n";
    for (std::uint32_t i = 0; i < scheduler_.operation_count(); ++i) text += operation(OperationId{i});
    std::vector<std::string> resources;
    for (std::uint32_t i = 0; i < scheduler_.resource_count(); ++i) resources.push_back(resource(ResourceId{i}));
    std::sort(resources.begin(), resources.end());
    for (const std::string& one : resources) text += one;
    text += "values";
    for (const std::int16_t value : threads_.values()) text += " " + std::to_string(value);
    text += "\nwords";
    for (const std::uint32_t word : threads_.words()) text += " " + std::to_string(word);
    return text + "\n";
  }

 private:
  /// The object in the program, wherever that lies this time.
  std::string object(ResourceId id) const {
    if (id == kNoResource) return "nothing";
    const Resource& at = scheduler_.resource(id);
    std::string text(name(at.kind));
    if (at.kind == ResourceKind::operation) return text + " " + std::to_string(index(at.lifetime.of()));
    if (at.address == nullptr) return text + " " + std::to_string(index(id));
    const auto address = reinterpret_cast<std::uintptr_t>(at.address);
    const auto first = reinterpret_cast<std::uintptr_t>(&threads_);
    const bool is_own = address - first < sizeof threads_;
    return text + (is_own ? " +" + std::to_string(address - first) : " elsewhere " + std::to_string(address));
  }

  std::string operation(OperationId id) const {
    std::string text = "T" + std::to_string(index(id));
    if (scheduler_.has_ended(id)) return text + " has ended\n";
    const model::Event& next = scheduler_.next(id);
    text += " before " + std::string(name(next.kind)) + " of " + object(next.resource);
    if (scheduler_.is_enabled(id)) text += ", enabled";
    if (scheduler_.deadline(id) != engine::kNever) text += ", until " + std::to_string(scheduler_.deadline(id));
    return text + "\n";
  }

  std::string queue(const model::WaitQueue& queue) const {
    std::string text = " waiting:";
    for (std::uint32_t i = 0; i < queue.size(); ++i)
      text += " T" + std::to_string(index(queue.at(scheduler_.links(), i)));
    return text;
  }

  /// By what it does, where it does not say what it is: whom it admits to what.
  std::string admitted(const Resource& at, std::initializer_list<EventKind> kinds) const {
    std::string text = " admits:";
    for (const EventKind kind : kinds)
      for (std::uint32_t i = 0; i < scheduler_.operation_count(); ++i)
        if (at.admits(OperationId{i}, kind)) text += " T" + std::to_string(i) + " " + std::string(name(kind));
    return text;
  }

  std::string contents(const Resource& at) const {
    switch (at.kind) {
      case ResourceKind::mutex:
      case ResourceKind::spin_lock:
        return " of T" + std::to_string(index(at.mutex.owner())) + admitted(at, {EventKind::lock});
      case ResourceKind::read_write_lock:
        return " of T" + std::to_string(index(at.read_write_lock.writer())) + ", readers " +
               std::to_string(at.read_write_lock.readers()) +
               admitted(at, {EventKind::read_lock, EventKind::write_lock});
      case ResourceKind::condition:
        return queue(at.condition.waiters());
      case ResourceKind::barrier:
        return queue(at.barrier.waiters());
      case ResourceKind::semaphore:
        return " " + std::to_string(at.semaphore.value());
      case ResourceKind::once:
        return (at.once.is_done() ? " done" : "") + admitted(at, {EventKind::once});
      case ResourceKind::operation:
        return std::string(at.lifetime.has_ended() ? " ended" : "") + (at.lifetime.is_detached() ? " detached" : "") +
               (at.lifetime.is_joined() ? " joined" : "") + (at.lifetime.is_being_joined() ? " awaited" : "");
      case ResourceKind::futex:
        return queue(at.queue);
      default:
        return "";
    }
  }

  std::string resource(ResourceId id) const {
    const Resource& at = scheduler_.resource(id);
    return object(id) + (at.gone ? " gone" : "") + contents(at) + "\n";
  }

  engine::Scheduler& scheduler_;
  const Threads& threads_;
};

}  // namespace

std::string snapshot(engine::Scheduler& scheduler, const Threads& threads) {
  return Snapshot(scheduler, threads).text();
}

}  // namespace heddle::oracle
