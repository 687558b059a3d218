// How an access of memory came about: where it was made, in which functions its operation was and which locks it held.
//
// All of it is kept only while an execution is recorded. In others an access is known by the low bits of its place
// alone, which is what the detector has room for.
#pragma once

#include <cstddef>
#include <cstdint>

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
      push(place, reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0)) + kFrameToStack);
  }
  void leave() {
    if (keeps_ && engine::is_controlled()) [[unlikely]]
      pop();
  }
  /// By longjmp: all functions whose stack lies below are left without a word.
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

  /// The number by which the detector knows an access of the running operation.
  std::uint32_t site_of(const void* place, const volatile void* at, std::size_t bytes) {
    return keeps_ ? add_site(place, place, at, bytes) : low_bits(place);
  }
  /// The same for a call that the C++ library may have made: a person is told where the program called the library.
  std::uint32_t site_of_request(const void* place, const volatile void* at, std::size_t bytes);
  /// The block is told of with every access of it that is recorded from here on.
  void keep_block(std::uint32_t site, OperationId by);

  const void* place_of(std::uint32_t site) const;
  std::uint32_t low_bits_of(std::uint32_t site) const { return keeps_ ? low_bits(sites_[site].place) : site; }
  static std::uint32_t low_bits(const void* place) {
    return static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(place));
  }

  // Into the trace; only while `keeps`.
  void record(OperationId who, const char* what, std::uint32_t site);
  /// The block that the address is in, if there is one.
  void record_block(std::uintptr_t address);

 private:
  /// From the frame of a function to the stack pointer of its caller: over a saved frame and the return address.
  static constexpr std::uintptr_t kFrameToStack = 2 * sizeof(void*);

  struct Node {  // of the tree of stacks
    const void* place;
    std::uint32_t parent;  // index + 1; 0: the outermost
    std::uintptr_t stack;  // the stack pointer of the function that was entered there
  };
  struct Site {
    const void* place;
    const void* told;  // the place that a person is told
    std::uintptr_t address;
    std::size_t bytes;
    std::uint32_t stack;  // index + 1 of a Node
    std::uint32_t locks;  // as Held numbers them
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
