// Direct system calls that bypass every function heddle intercepts.
//
// The runtime lives inside the program under test and replaces much of libc. heddle makes its own kernel calls through
// this file, so that they can never come back to it as events of the program.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/arch/x86_64/system_call.hpp"  // syscall6

namespace heddle::raw {

int write_all(int descriptor, const char* text, std::size_t length);  // 0, or the error that stopped it
[[noreturn]] void exit_process(int code);

void* map_pages(std::size_t bytes);  // zeroed; memory is committed only when touched
/// Small mappings lie side by side. This touches the next ones all at once. Otherwise a forked copy would fault on each
/// page in turn, which costs several times as much.
void touch_next_small_mappings(std::size_t bytes);
void* remap_pages(void* pages, std::size_t old_bytes, std::size_t new_bytes);
void unmap_pages(void* pages, std::size_t bytes);
/// The same three functions for memory that all processes of an exploration share. With a single process, the usual
/// case, they are the functions above.
struct CommonPages {
  void* (*map)(std::size_t bytes) = map_pages;
  void* (*remap)(void* pages, std::size_t old_bytes, std::size_t new_bytes) = remap_pages;
  void (*unmap)(void* pages, std::size_t bytes) = unmap_pages;
};
extern CommonPages common_pages;
/// Where in its first page the next array should begin, in whole cache lines. If every array began at the start of a
/// page, they would compete for the few cache lines that map to that address. A scheduler's arrays are small and hot.
std::size_t next_page_offset();
void protect_pages(void* pages, std::size_t bytes);  // no access: a guard page

void futex_wait(const std::uint32_t* word, std::uint32_t while_value);  // may return early; callers must check again
void futex_wake_one(const std::uint32_t* word);

int thread_id();
std::uint64_t monotonic_ns();  // the host's clock, not the program's virtual time

}  // namespace heddle::raw
