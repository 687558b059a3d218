#include "engine/recorder.hpp"

#include <link.h>
#include <unistd.h>
#include <unwind.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <string>
#include <vector>

#include "engine/modules.hpp"
#include "engine/rescue.hpp"

namespace heddle::engine {

std::string path_of_program() {
  char path[4096];
  const ssize_t length = readlink("/proc/self/exe", path, sizeof path);
  return length > 0 ? std::string(path, static_cast<std::size_t>(length)) : "";
}

namespace {

constexpr std::uint32_t kFramesMax = 48;

struct Walk {
  PageVector<void*>& frames;
  std::uint32_t count = 0;
  void* begin_at = nullptr;  // frames before this one do not belong to the program
};

_Unwind_Reason_Code visit(_Unwind_Context* context, void* argument) {
  auto& walk = *static_cast<Walk*>(argument);
  int before_instruction = 0;
  const auto address = _Unwind_GetIPInfo(context, &before_instruction);
  if (address == 0) return _URC_END_OF_STACK;
  // Places are kept in the form of return addresses, which lie behind the start of the call instruction.
  void* const frame = reinterpret_cast<void*>(address + (before_instruction ? 1 : 0));
  if (walk.begin_at != nullptr) {
    if (frame != walk.begin_at) return _URC_NO_REASON;
    walk.begin_at = nullptr;
  }
  walk.frames.push_back(frame);
  return ++walk.count < kFramesMax ? _URC_NO_REASON : _URC_END_OF_STACK;
}

struct Module {
  std::string path;
  std::uintptr_t bias;
  std::uintptr_t low;
  std::uintptr_t high;
};

std::vector<Module> loaded_modules() {
  std::vector<Module> modules;
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* result) {
        auto& list = *static_cast<std::vector<Module>*>(result);
        Module module{info->dlpi_name, info->dlpi_addr, ~std::uintptr_t{0}, 0};
        if (module.path.empty()) module.path = list.empty() ? path_of_program() : "[vdso]";
        for (int i = 0; i < info->dlpi_phnum; ++i) {
          const ElfW(Phdr)& header = info->dlpi_phdr[i];
          if (header.p_type != PT_LOAD) continue;
          module.low = std::min<std::uintptr_t>(module.low, info->dlpi_addr + header.p_vaddr);
          module.high = std::max<std::uintptr_t>(module.high, info->dlpi_addr + header.p_vaddr + header.p_memsz);
        }
        list.push_back(std::move(module));
        return 0;
      },
      &modules);
  return modules;
}

/// Assigns each code address its number in the trace.
class Places {
 public:
  explicit Places(std::vector<Place>& places) : modules_(loaded_modules()), places_(places) {
    own_ = find(reinterpret_cast<std::uintptr_t>(&visit));
  }

  /// Innermost first. Leaves out heddle's own frames at the inner end, and stops at the first frame outside all
  /// modules.
  std::vector<std::uint32_t> of(const void* const* frames, std::uint32_t count) {
    std::vector<std::uint32_t> numbers;
    for (std::uint32_t i = 0; i < count; ++i) {
      const auto address = reinterpret_cast<std::uintptr_t>(frames[i]);
      const Module* module = find(address);
      if (module == nullptr) break;
      if (module == own_ && module != &modules_.front()) {
        if (numbers.empty()) continue;
        break;  // the remaining frames started the operation
      }
      numbers.push_back(number(address, *module));
    }
    return numbers;
  }

  /// `&module+0x4010`; empty if the address is in no module.
  std::string data_at(const void* data) const {
    const auto address = reinterpret_cast<std::uintptr_t>(data);
    const Module* module = find(address);
    if (module == nullptr) return {};
    char offset[32];
    std::snprintf(offset, sizeof offset, "+0x%zx", address - module->bias);
    return "&" + module->path + offset;
  }

 private:
  const Module* find(std::uintptr_t address) const {
    for (const Module& module : modules_)
      if (address >= module.low && address < module.high) return &module;
    return nullptr;
  }

  std::uint32_t number(std::uintptr_t address, const Module& module) {
    const auto [at, is_new] = numbers_.try_emplace(address, static_cast<std::uint32_t>(places_.size()));
    if (is_new) places_.push_back({module.path, address - module.bias, {}});
    return at->second;
  }

  std::vector<Module> modules_;
  std::vector<Place>& places_;
  const Module* own_ = nullptr;
  std::map<std::uintptr_t, std::uint32_t> numbers_;
};

std::string name_of(const model::Resource& resource, const Places& places) {
  if (resource.kind == model::ResourceKind::variable) return places.data_at(resource.address);
  if (resource.kind != model::ResourceKind::descriptor) return {};
  return "descriptor " + std::to_string(reinterpret_cast<std::uintptr_t>(resource.address));
}

}  // namespace

std::vector<std::string> paths_of_modules() {
  std::vector<std::string> paths;
  for (const Module& module : loaded_modules()) paths.push_back(module.path);
  return paths;
}

std::vector<Place> repeated_places(const Verdict& verdict) {
  std::vector<Place> found;
  Places places(found);
  for (const void* const place : verdict.repeated)
    if (place != nullptr) places.of(&place, 1);
  return found;
}

std::vector<Place> places_of_calls(std::span<const void* const> returns) {
  std::vector<Place> found;
  Places places(found);
  places.of(returns.data(), static_cast<std::uint32_t>(returns.size()));
  return found;
}

void Recorder::begin() {
  steps_.clear();
  frames_.clear();
  stacks_.clear();
  accesses_.clear();
  locks_.clear();
  names_.clear();
  notes_.clear();
  texts_.clear();
}

Recorder::Text Recorder::keep(std::string_view text) {
  const auto first = static_cast<std::uint32_t>(texts_.size());
  for (const char c : text) texts_.push_back(c);
  return {first, static_cast<std::uint32_t>(text.size())};
}

void Recorder::name(OperationId who, std::string_view name) { names_.push_back({who, keep(name)}); }

void Recorder::note(OperationId who, std::string_view what, OperationId other, std::string_view text) {
  notes_.push_back({step_count(), who, keep(what), other, keep(text)});
}

Recorder::Stack& Recorder::stack_of(OperationId id) {
  if (index(id) >= stacks_.size()) stacks_.resize(index(id) + 1);
  return stacks_[index(id)];
}

void Recorder::capture_stack(OperationId self) { capture_stack_at(self, nullptr); }

void Recorder::capture_stack_at(OperationId self, void* instruction) {
  Walk walk{frames_, 0, instruction};
  const auto first = static_cast<std::uint32_t>(frames_.size());
  attempt([](void* all) { _Unwind_Backtrace(visit, all); }, &walk);  // the program may have destroyed its stack
  stack_of(self) = {first, walk.count};
}

void Recorder::capture_place(OperationId self, const void* place) {
  stack_of(self) = {static_cast<std::uint32_t>(frames_.size()), 1};
  frames_.push_back(const_cast<void*>(place));
}

void Recorder::on_step(OperationId who, const model::Event& event, bool was_choice, bool preempts) {
  steps_.push_back({who, event, was_choice, preempts, 0, 0, stack_of(who)});
}

void Recorder::on_value(OperationId who, std::uint32_t value, std::uint32_t bound) {
  steps_.push_back({who, {model::EventKind::choose, kNoResource, nullptr}, false, false, value, bound, stack_of(who)});
}

void Recorder::note_access(OperationId who, AccessKind what, std::uint32_t bytes, const void* const* frames,
                           std::uint32_t count) {
  accesses_.push_back({who, what, bytes, {static_cast<std::uint32_t>(frames_.size()), count}});
  for (std::uint32_t i = 0; i < count; ++i) frames_.push_back(const_cast<void*>(frames[i]));
}

Trace Recorder::trace(const Scheduler& scheduler, const Verdict& verdict) const {
  Trace trace;
  trace.verdict = verdict;
  Places places(trace.places);
  for (std::uint32_t i = 0; i < scheduler.resource_count(); ++i) {
    const model::Resource& resource = scheduler.resource(ResourceId{i});
    trace.resources.push_back({resource.kind, name_of(resource, places), resource.some_holder()});
  }
  for (std::uint32_t i = 0; i < scheduler.operation_count(); ++i) {
    const OperationId id{i};
    TraceOperation operation;
    operation.parent = scheduler.parent(id);
    operation.ended = scheduler.has_ended(id);
    operation.next = {scheduler.next(id).kind, scheduler.next(id).resource, nullptr};
    if (i < stacks_.size()) operation.stack = places.of(frames_.data() + stacks_[i].first, stacks_[i].count);
    trace.operations.push_back(std::move(operation));
  }
  for (const Name& name : names_) trace.operations[index(name.of)].name = kept(name.text);
  for (const Note& note : notes_)
    trace.notes.push_back({note.step, note.who, kept(note.what), note.other, kept(note.text)});
  for (const Step& step : steps_) {
    TraceStep kept;
    kept.operation = step.who;
    kept.kind = step.event.kind;
    kept.resource = step.event.resource;
    kept.is_choice = step.was_choice;
    kept.preempts = step.preempts;
    kept.value = step.value;
    kept.bound = step.bound;
    kept.stack = places.of(frames_.data() + step.stack.first, step.stack.count);
    trace.steps.push_back(std::move(kept));
  }
  for (const Noted& noted : accesses_)
    trace.accesses.push_back({noted.who, noted.what, noted.bytes,
                              places.of(frames_.data() + noted.stack.first, noted.stack.count),
                              std::vector<TraceLock>()});
  for (const NotedLock& noted : locks_) trace.accesses[noted.access].locks->push_back(noted.lock);
  return trace;
}

}  // namespace heddle::engine
