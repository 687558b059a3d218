// Functions of libc that read or write memory for their caller. Compilers do not instrument these accesses. The
// wrappers here announce them and forward to libc. They are here and not in heddle's runtime, so that only instrumented
// programs report such accesses.
#include <cstddef>

#define HEDDLE_PLACE __builtin_return_address(0)

extern "C" {

// Heddle's own, if the program is explored.
void __tsan_read_range_pc(void* at, std::size_t bytes, void* place);
void __tsan_write_range_pc(void* at, std::size_t bytes, void* place);

// libc's functions, under names that are not wrapped. The last argument is the size of the destination.
void* __memcpy_chk(void* to, const void* from, std::size_t bytes, std::size_t room);
void* __memmove_chk(void* to, const void* from, std::size_t bytes, std::size_t room);
void* __mempcpy_chk(void* to, const void* from, std::size_t bytes, std::size_t room);
void* __memset_chk(void* at, int value, std::size_t bytes, std::size_t room);
char* __strcpy_chk(char* to, const char* from, std::size_t room);
char* __strncpy_chk(char* to, const char* from, std::size_t bytes, std::size_t room);
char* __strcat_chk(char* to, const char* from, std::size_t room);

}  // extern "C"

namespace {

constexpr std::size_t kRoom = ~std::size_t{0};

void reads(const void* at, std::size_t bytes, void* place) {
  if (bytes != 0) __tsan_read_range_pc(const_cast<void*>(at), bytes, place);
}
void writes(void* at, std::size_t bytes, void* place) {
  if (bytes != 0) __tsan_write_range_pc(at, bytes, place);
}

std::size_t length(const char* text) {
  std::size_t bytes = 0;
  while (text[bytes] != '\0') ++bytes;
  return bytes;
}

}  // namespace

extern "C" {

void* memcpy(void* to, const void* from, std::size_t bytes) {
  reads(from, bytes, HEDDLE_PLACE);
  writes(to, bytes, HEDDLE_PLACE);
  return __memcpy_chk(to, from, bytes, kRoom);
}

void* memmove(void* to, const void* from, std::size_t bytes) {
  reads(from, bytes, HEDDLE_PLACE);
  writes(to, bytes, HEDDLE_PLACE);
  return __memmove_chk(to, from, bytes, kRoom);
}

void* mempcpy(void* to, const void* from, std::size_t bytes) {
  reads(from, bytes, HEDDLE_PLACE);
  writes(to, bytes, HEDDLE_PLACE);
  return __mempcpy_chk(to, from, bytes, kRoom);
}

void* memset(void* at, int value, std::size_t bytes) {
  writes(at, bytes, HEDDLE_PLACE);
  return __memset_chk(at, value, bytes, kRoom);
}

char* strcpy(char* to, const char* from) {
  const std::size_t bytes = length(from) + 1;
  reads(from, bytes, HEDDLE_PLACE);
  writes(to, bytes, HEDDLE_PLACE);
  return __strcpy_chk(to, from, kRoom);
}

char* strncpy(char* to, const char* from, std::size_t bytes) {
  std::size_t taken = 0;
  while (taken < bytes && from[taken] != '\0') ++taken;
  reads(from, taken < bytes ? taken + 1 : bytes, HEDDLE_PLACE);
  writes(to, bytes, HEDDLE_PLACE);
  return __strncpy_chk(to, from, bytes, kRoom);
}

char* strcat(char* to, const char* from) {
  const std::size_t before = length(to);
  const std::size_t bytes = length(from) + 1;
  reads(to, before + 1, HEDDLE_PLACE);
  reads(from, bytes, HEDDLE_PLACE);
  writes(to + before, bytes, HEDDLE_PLACE);
  return __strcat_chk(to, from, kRoom);
}

}  // extern "C"
