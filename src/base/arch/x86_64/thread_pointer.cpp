#include "base/arch/x86_64/thread_pointer.hpp"

#include <asm/prctl.h>
#include <sys/auxv.h>
#include <sys/syscall.h>

#include "base/raw.hpp"

namespace heddle {

bool can_write_thread_pointer() {
  constexpr unsigned long kFsGsBase = 1ul << 1;
  return (getauxval(AT_HWCAP2) & kFsGsBase) != 0;
}

void set_thread_pointer_by_system_call(std::uintptr_t value) {
  raw::syscall6(SYS_arch_prctl, ARCH_SET_FS, static_cast<long>(value), 0, 0, 0, 0);
}

}  // namespace heddle
