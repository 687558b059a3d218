// Keeps every step of an execution, with the stack of the operation that takes it, and makes a trace of them.
//
// Only the second run of a failure and replays are recorded, because taking stacks is expensive. An operation takes its
// own stack as it comes to stand at its event. Memory comes from the kernel; none of the program's is touched.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/access_kind.hpp"
#include "base/ids.hpp"
#include "base/page_vector.hpp"
#include "engine/scheduler.hpp"
#include "trace/trace.hpp"

namespace heddle::engine {

/// Of the process; empty if the kernel does not provide it.
std::string path_of_program();

class Recorder final : public StepObserver {
 public:
  void begin();

  /// Called by the operation itself, where it stands.
  void capture_stack(OperationId self);
  /// The same. If `instruction` is not null, leaves out the frames inside it, which belong to a signal handler.
  void capture_stack_at(OperationId self, void* instruction);
  /// The same where a stack would cost too much: keeps only the return address of the call.
  void capture_place(OperationId self, const void* place);

  void on_step(OperationId who, const model::Event& event, bool was_choice, bool preempts) override;
  void on_value(OperationId who, std::uint32_t value, std::uint32_t bound) override;

  /// The last step turned out to be about this resource.
  void about(ResourceId resource) { steps_.back().event.resource = resource; }

  /// A memory access that the verdict is about, with its stack: return addresses, innermost first.
  void note_access(OperationId who, AccessKind what, std::uint32_t bytes, const void* const* frames,
                   std::uint32_t count);

  /// A lock that was held at the last noted access, and the number of the step that took it; 0: none did.
  void note_lock(ResourceId lock, std::uint32_t step) { locks_.push_back({accesses_.size() - 1, {lock, step}}); }

  /// The program's name for an operation.
  void name(OperationId who, std::string_view name);
  /// What a machine did since the last step.
  void note(OperationId who, std::string_view what, OperationId other, std::string_view text);

  std::uint32_t step_count() const { return static_cast<std::uint32_t>(steps_.size()); }

  /// Called from home after the execution: its operations, resources, steps and places. No header, no source lines.
  Trace trace(const Scheduler& scheduler, const Verdict& verdict) const;

 private:
  struct Stack {
    std::uint32_t first = 0;  // in frames_
    std::uint32_t count = 0;
  };
  struct Step {
    OperationId who;
    model::Event event;
    bool was_choice;
    bool preempts;
    std::uint32_t value;
    std::uint32_t bound;
    Stack stack;
  };

  struct Text {
    std::uint32_t first = 0;  // in texts_
    std::uint32_t count = 0;
  };
  struct Name {
    OperationId of;
    Text text;
  };
  struct Note {
    std::uint32_t step;
    OperationId who;
    Text what;
    OperationId other;
    Text text;
  };

  Stack& stack_of(OperationId id);
  Text keep(std::string_view text);
  std::string kept(Text text) const { return {texts_.data() + text.first, text.count}; }

  struct Noted {
    OperationId who;
    AccessKind what;
    std::uint32_t bytes;
    Stack stack;
  };

  PageVector<Step> steps_;
  struct NotedLock {
    std::size_t access;  // in accesses_
    TraceLock lock;
  };

  PageVector<Name> names_;
  PageVector<Note> notes_;
  PageVector<char> texts_;
  PageVector<Noted> accesses_;
  PageVector<NotedLock> locks_;
  PageVector<void*> frames_;
  PageVector<Stack> stacks_;  // the last of each operation
};

}  // namespace heddle::engine
