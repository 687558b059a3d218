// All memory that the program could write to, as one number: two moments with the same number had the same memory.
//
// What counts are the private writable mappings of the process, less heddle's own (base/own_pages.hpp, its library, its
// frames on the stack of the thread that explores). Stacks of operations are heddle's mappings: the parts of them that
// are in use are added by the caller. Memory that is shared with other processes cannot be judged by looking at it, so
// a program that has some has no number. A page of zeros counts as little as one that was never touched.
//
// The hash has 64 bits and is of our own making; nobody plays against it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "base/page_vector.hpp"

namespace heddle::engine {

/// The program's heap, where it is part of a mapping that is much larger.
struct UsedHeap {
  const char* begin = nullptr;
  std::size_t bytes = 0;
};
/// Set by whoever brings such a heap.
extern UsedHeap (*used_heap)();

/// Of whole words; 0 if all of them are 0.
std::uint64_t hash_of_memory(std::uintptr_t begin, std::uintptr_t end);

class ProgramMemory {
 public:
  /// By the thread that explores, before it does: what lies above the frames of heddle here is the program's.
  void note_home();

  /// Nothing: it cannot be told.
  std::optional<std::uint64_t> hash();
  /// Of pages that may have no memory yet.
  std::uint64_t hash_touched(std::uintptr_t begin, std::uintptr_t end);
  std::uint64_t hash_bytes(std::uintptr_t begin, std::uintptr_t end);
  /// So many bytes were looked at so far.
  std::uint64_t bytes_read() const { return bytes_read_; }
  void begin() { bytes_read_ = 0; }

 private:
  struct Mapping {
    std::uintptr_t begin;
    std::uintptr_t end;
    bool is_shared;
    bool is_of_file;
  };

  bool read_mappings();
  bool parse(const char* line, const char* end);
  bool add(const Mapping& mapping, std::uint64_t& sum);
  void add_part(std::uintptr_t begin, std::uintptr_t end, bool is_of_file, std::uint64_t& sum);

  PageVector<char> text_;  // of /proc/self/maps
  PageVector<Mapping> mappings_;
  PageVector<std::uint64_t> entries_;  // of /proc/self/pagemap
  std::uintptr_t home_ = 0;            // the program's part of that stack begins here
  std::uint64_t bytes_read_ = 0;
};

}  // namespace heddle::engine
