// The circumstances of a memory access: its place, the functions that its operation was in and the locks that it held.
//
// All of this is kept only while an execution is recorded. Otherwise an access is identified only by the low bits of
// its place, which is what the detector has room for.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/access_kind.hpp"
#include "base/arch/x86_64/frames.hpp"
#include "base/ids.hpp"
#include "base/page_vector.hpp"
#include "engine/control.hpp"
#include "runtime/tsan/held.hpp"

namespace heddle::runtime {

class Stacks {
 public:
  void begin(bool keeps);
  void end() { keeps_ = false; }
  bool keeps() const { return keeps_; }

  // Functions are entered and left.
  [[gnu::always_inline]] void enter(const void* place) {
    if (keeps_ && engine::is_controlled()) [[unlikely]]
      push(place, stack_above(reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0))));
  }
  void leave() {
    if (keeps_ && engine::is_controlled()) [[unlikely]]
      pop();
  }
  /// After a longjmp: all functions whose stack lies below are left without a report.
  void jumped_to(std::uintptr_t stack) {
    if (keeps_ && engine::is_controlled()) [[unlikely]]
      pop_below(stack);
  }

  // Locks are taken and given back.
  void taken(ResourceId lock) {
    if (keeps_) [[unlikely]]
      hold(lock);
  }
  void given_back(ResourceId lock) {
    if (keeps_) [[unlikely]]
      let_go(lock);
  }

  /// The number that identifies an access of the running operation to the detector.
  std::uint32_t site_of(const void* place, const volatile void* at, std::size_t bytes) {
    return keeps_ ? add_site(place, place, at, bytes) : low_bits(place);
  }
  /// The same for a call that the C++ library may have made: the report shows where the program called the library.
  std::uint32_t site_of_request(const void* place, const volatile void* at, std::size_t bytes);
  /// The block is reported with every access to it that is recorded from here on.
  void keep_block(std::uint32_t site, OperationId by);

  const void* place_of(std::uint32_t site) const;
  std::uint32_t low_bits_of(std::uint32_t site) const { return keeps_ ? low_bits(sites_[site].place) : site; }
  static std::uint32_t low_bits(const void* place) {
    return static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(place));
  }

  // Writes into the trace; only while `keeps`.
  void record(OperationId who, AccessKind what, std::uint32_t site);
  /// Records the block that contains the address, if there is one.
  void record_block(std::uintptr_t address);

 private:
  struct Node {  // in the tree of stacks
    const void* place;
    std::uint32_t parent;  // index + 1; 0: this is the outermost
    std::uintptr_t stack;  // the stack pointer of the function entered there
  };
  struct Site {
    const void* place;
    const void* told;  // the place shown in the report
    std::uintptr_t address;
    std::size_t bytes;
    std::uint32_t stack;  // index + 1 of a Node
    std::uint32_t locks;  // as numbered by Held
    bool operator==(const Site&) const = default;
  };
  struct Block {
    std::uint32_t site;
    OperationId by;
  };

  std::uint32_t add_site(const void* place, const void* told, const volatile void* at, std::size_t bytes);
  std::uint32_t& innermost(OperationId id);
  void push(const void* place, std::uintptr_t stack);
  void pop();
  void pop_below(std::uintptr_t stack);
  void hold(ResourceId lock);
  void let_go(ResourceId lock);

  PageVector<std::uint32_t> innermost_;  // indexed by operation: index + 1 of the Node it is in
  PageVector<Node> nodes_;
  PageVector<Site> sites_;
  PageVector<Block> blocks_;
  Held held_;
  bool keeps_ = false;
};

}  // namespace heddle::runtime
