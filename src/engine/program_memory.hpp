// All memory that the program could write to, as one number: the same number at two moments means the same memory.
//
// The number covers the private writable mappings of the process, except heddle's own (base/own_pages.hpp, its library,
// its frames on the stack of the exploring thread). Stacks of operations are heddle's mappings; the caller adds the
// parts that are in use. Memory shared with other processes cannot be judged by looking at it, so a program that has
// some has no number. A page of zeros counts the same as a page that was never touched.
//
// The hash has 64 bits and is our own; it need not resist an adversary.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "base/page_vector.hpp"

namespace heddle::engine {

/// The program's heap, if it is part of a much larger mapping.
struct UsedHeap {
  const char* begin = nullptr;
  std::size_t bytes = 0;
};
/// Set by the code that provides such a heap.
extern UsedHeap (*used_heap)();

/// Hashes whole words; 0 if all of them are 0.
std::uint64_t hash_of_memory(std::uintptr_t begin, std::uintptr_t end);

class ProgramMemory {
 public:
  /// Called by the exploring thread before it explores: memory above heddle's frames here belongs to the program.
  void note_home();

  /// Empty: not known.
  std::optional<std::uint64_t> hash();
  /// For pages that may have no memory yet.
  std::uint64_t hash_touched(std::uintptr_t begin, std::uintptr_t end);
  std::uint64_t hash_bytes(std::uintptr_t begin, std::uintptr_t end);
  /// The number of bytes read so far.
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
  std::uintptr_t home_ = 0;            // the program's part of the exploring thread's stack begins here
  std::uint64_t bytes_read_ = 0;
};

}  // namespace heddle::engine
