#include "engine/program_frame.hpp"

#include <link.h>
#include <unwind.h>

#include <algorithm>

#include "base/arch/x86_64/frames.hpp"
#include "base/hash.hpp"
#include "engine/own_module.hpp"

namespace heddle::engine {
namespace {

_Unwind_Reason_Code visit(_Unwind_Context* context, void* result) {
  const auto address = static_cast<std::uintptr_t>(_Unwind_GetIP(context));
  if (address == 0) return _URC_END_OF_STACK;
  if (own_module().contains(address)) return _URC_NO_REASON;
  ProgramFrame& frame = *static_cast<ProgramFrame*>(result);
  frame.stack = static_cast<std::uintptr_t>(_Unwind_GetCFA(context));
  frame.registers = mix(address);
  for (const int number : kPreservedRegisters)
    frame.registers = combine(frame.registers, _Unwind_GetGR(context, number));
  return _URC_END_OF_STACK;
}

}  // namespace

bool knows_own_code() { return own_module().is_apart; }

ProgramFrame innermost_program_frame() {
  ProgramFrame frame;
  if (knows_own_code()) _Unwind_Backtrace(visit, &frame);
  return frame;
}

}  // namespace heddle::engine
