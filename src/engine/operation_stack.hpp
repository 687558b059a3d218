// A stack that an operation runs on, and the stacks of those that ask for another size than the usual one.
//
// The thread pointer of an operation is always its donor's, its stack need not be. An operation whose attributes ask
// for 64 MB or for 16 KiB gets a mapping of that size beside the donor's own, and one that brings memory runs there.
// The mapping of a donor is kept for its next operation, at an address that depends on the number of the donor alone:
// see engine/stack_area.hpp for why.
#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/executor.hpp"

namespace heddle::engine {

struct OperationStack {
  StackBounds bounds;
  char* top = nullptr;  // operations use the stack below this address
};

/// Rounded up.
std::size_t whole_pages(std::size_t bytes);

class OtherStack {
 public:
  /// The stack of that size; one of another size that was here before is unmapped. top null: there is no memory.
  OperationStack of(std::size_t bytes, std::uint32_t number);

 private:
  OperationStack stack_;
  std::size_t bytes_ = 0;
};

}  // namespace heddle::engine
