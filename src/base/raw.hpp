// System calls made directly, past every function that heddle intercepts.
//
// The runtime lives inside the program under test and stands in for much of libc. What heddle itself needs from the
// kernel it takes from here, so that a call of ours can never come back to us as an event of the program.
#pragma once

#include <cstddef>
#include <cstdint>

namespace heddle::raw {

inline long syscall6(long number, long a, long b, long c, long d, long e, long f) {
  long result;
  register long r10 asm("r10") = d;
  register long r8 asm("r8") = e;
  register long r9 asm("r9") = f;
  asm volatile("syscall"
               : "=a"(result)
               : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
               : "rcx", "r11", "memory");
  return result;  // negative: minus errno
}

void write_all(int descriptor, const char* text, std::size_t length);
[[noreturn]] void exit_process(int code);

void* map_pages(std::size_t bytes);  // zeroed, reserved only as touched
/// Small mappings lie side by side. This touches those that will come next, all at once: to do so page by page, when a
/// forked copy comes to each, costs it several times as much.
void touch_next_small_mappings(std::size_t bytes);
void* remap_pages(void* pages, std::size_t old_bytes, std::size_t new_bytes);
void unmap_pages(void* pages, std::size_t bytes);
/// The same three for what all processes of an exploration share. In the one process that most have they are the above.
struct CommonPages {
  void* (*map)(std::size_t bytes) = map_pages;
  void* (*remap)(void* pages, std::size_t old_bytes, std::size_t new_bytes) = remap_pages;
  void (*unmap)(void* pages, std::size_t bytes) = unmap_pages;
};
extern CommonPages common_pages;
/// Where in its first page the next array should begin: whole lines of the cache. If all began at the start of
/// a page they would fight for the few lines that stand for that address, and those of a scheduler are small and hot.
std::size_t next_page_offset();
void protect_pages(void* pages, std::size_t bytes);  // no access: a guard

void futex_wait(const std::uint32_t* word, std::uint32_t while_value);  // may return early; callers look again
void futex_wake_one(const std::uint32_t* word);

int thread_id();
std::uint64_t monotonic_ns();  // the host's clock, not the program's

}  // namespace heddle::raw
