// Where the functions of a module begin, by the table that the unwinder searches (.eh_frame_hdr; Linux Standard Base,
// Core, 10.6.2). Code that compilers made is in it, and so is most of what was written in assembly.
#pragma once

#include <link.h>

#include <cstddef>
#include <cstdint>

namespace heddle::runtime {

class FunctionStarts {
 public:
  explicit FunctionStarts(const dl_phdr_info& module);

  /// The last start at or before the address. 0: not known.
  std::uintptr_t start_of(std::uintptr_t address) const;

 private:
  struct Row {
    std::int32_t function;  // both from the beginning of the header
    std::int32_t description;
  };

  std::uintptr_t header_ = 0;
  const Row* rows_ = nullptr;  // ascending
  std::size_t count_ = 0;
};

}  // namespace heddle::runtime
