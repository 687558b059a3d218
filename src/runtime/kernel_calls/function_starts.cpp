#include "runtime/kernel_calls/function_starts.hpp"

#include <algorithm>
#include <cstring>

namespace heddle::runtime {
namespace {

struct Header {
  unsigned char version;
  unsigned char frame_encoding;
  unsigned char count_encoding;
  unsigned char table_encoding;
  std::int32_t frames;
  std::uint32_t count;
};

// The encodings that every linker in use writes.
constexpr unsigned char kFourBytes = 0x03;
constexpr unsigned char kSignedFromHeader = 0x3b;

}  // namespace

FunctionStarts::FunctionStarts(const dl_phdr_info& module) {
  for (int i = 0; i < module.dlpi_phnum; ++i) {
    if (module.dlpi_phdr[i].p_type != PT_GNU_EH_FRAME) continue;
    const std::uintptr_t at = module.dlpi_addr + module.dlpi_phdr[i].p_vaddr;
    Header header;
    std::memcpy(&header, reinterpret_cast<const void*>(at), sizeof header);
    if (header.version != 1 || header.count_encoding != kFourBytes || header.table_encoding != kSignedFromHeader)
      return;
    header_ = at;
    rows_ = reinterpret_cast<const Row*>(at + sizeof header);
    count_ = header.count;
  }
}

std::uintptr_t FunctionStarts::start_of(std::uintptr_t address) const {
  const auto wanted = static_cast<std::intptr_t>(address - header_);
  const Row* const after = std::upper_bound(
      rows_, rows_ + count_, wanted, [](std::intptr_t distance, const Row& row) { return distance < row.function; });
  return after == rows_ ? 0 : header_ + static_cast<std::uintptr_t>(std::intptr_t{after[-1].function});
}

}  // namespace heddle::runtime
