#include "runtime/tsan/left_frames.hpp"

#include <algorithm>

#include "base/arch/x86_64/frames.hpp"
#include "engine/execution.hpp"
#include "runtime/front.hpp"

namespace heddle::runtime {
namespace {

/// The end of the program's frames in the stack of an operation that is not running: above the return address of its
/// call. The compiler keeps frame pointers in the runtime and the engine. If the walk does not reach the call,
/// everything above the stack pointer counts as the program's.
std::uintptr_t end_of_frames(OperationId id, std::uintptr_t low, std::uintptr_t high) {
  constexpr int kFramesMost = 16;
  const engine::Standing standing = front.execution().executor().standing(id);
  if (standing.stack <= low || standing.stack >= high) return low;  // not known, or it runs on another stack
  const auto call = reinterpret_cast<std::uintptr_t>(front.scheduler().next(id).place);
  std::uintptr_t below = standing.stack;
  std::uintptr_t frame = standing.frame;
  for (int i = 0; i < kFramesMost && frame >= below && frame < high - sizeof(LinkedFrame); ++i) {
    below = stack_above(frame);
    if (frame_at(frame).return_address == call) return below;
    frame = frame_at(frame).caller;
  }
  return standing.stack;
}

}  // namespace

void LeftFrames::begin() {
  stacks_.clear();
  lowest_ = highest_ = 0;
  add(kMainOperation);
}

void LeftFrames::add(OperationId id) {
  const engine::StackBounds bounds = front.execution().executor().stack(id);
  const Stack added{reinterpret_cast<std::uintptr_t>(bounds.low), reinterpret_cast<std::uintptr_t>(bounds.high), id};
  Stack* const at = std::lower_bound(stacks_.begin(), stacks_.end(), added,
                                     [](const Stack& a, const Stack& b) { return a.low < b.low; });
  if (at != stacks_.end() && at->low == added.low)
    *at = added;
  else
    stacks_.insert(static_cast<std::size_t>(at - stacks_.begin()), added);
  lowest_ = stacks_[0].low;
  highest_ = stacks_.back().high;
}

const LeftFrames::Stack* LeftFrames::stack_with(std::uintptr_t address) const {
  const Stack* const after =
      std::upper_bound(stacks_.begin(), stacks_.end(), address,
                       [](std::uintptr_t wanted, const Stack& stack) { return wanted < stack.low; });
  return after != stacks_.begin() && address < (after - 1)->high ? after - 1 : nullptr;
}

/// The stack of `main` exists as long as the program: threads use what is in it after pthread_exit, and this works.
LeftFrames::Found LeftFrames::search(std::uintptr_t address, OperationId self) const {
  const Stack* const stack = stack_with(address);
  if (stack == nullptr || stack->of == self) return {};
  const bool has_ended = front.scheduler().has_ended(stack->of);
  if (has_ended) return stack->of == kMainOperation ? Found{} : Found{stack->of, true};
  return address < end_of_frames(stack->of, stack->low, stack->high) ? Found{stack->of, false} : Found{};
}

}  // namespace heddle::runtime
