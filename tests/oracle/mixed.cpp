// Atomic accesses of different sizes to the same eight bytes, given as words: a list for each thread, `/` between them.
//
//   store4@0=17   load2@2   swap8@0=33   add1@3=1      the size, the offset, and what is stored or added
//
// A stored byte is repeated over the size. Prints what each access returned, and the bytes at the end.
#include <pthread.h>

#include <cstdint>
#include <cstdio>
#include <cstring>

namespace {

constexpr int kThreadsMax = 3, kAccessesMax = 4;

struct Access {
  char kind[8] = "";
  int size = 0;
  int offset = 0;
  unsigned value = 0;
  std::uint64_t result = 0;
};
struct Thread {
  Access accesses[kAccessesMax];
  int count = 0;
};

alignas(8) unsigned char bytes[8];
Thread threads[kThreadsMax];
int thread_count = 1;

template <typename Word>
void perform(Access& access) {
  auto* const word = reinterpret_cast<Word*>(bytes + access.offset);
  Word repeated;
  std::memset(&repeated, static_cast<int>(access.value), sizeof repeated);
  if (std::strcmp(access.kind, "store") == 0) __atomic_store_n(word, repeated, __ATOMIC_SEQ_CST);
  if (std::strcmp(access.kind, "load") == 0) access.result = __atomic_load_n(word, __ATOMIC_SEQ_CST);
  if (std::strcmp(access.kind, "swap") == 0) access.result = __atomic_exchange_n(word, repeated, __ATOMIC_SEQ_CST);
  if (std::strcmp(access.kind, "add") == 0)
    access.result = __atomic_fetch_add(word, static_cast<Word>(access.value), __ATOMIC_SEQ_CST);
}

void* run(void* argument) {
  auto& thread = *static_cast<Thread*>(argument);
  for (int i = 0; i < thread.count; ++i) {
    Access& access = thread.accesses[i];
    if (access.size == 1) perform<std::uint8_t>(access);
    if (access.size == 2) perform<std::uint16_t>(access);
    if (access.size == 4) perform<std::uint32_t>(access);
    if (access.size == 8) perform<std::uint64_t>(access);
  }
  return nullptr;
}

bool read_word(const char* word) {
  Thread& thread = threads[thread_count - 1];
  if (std::strcmp(word, "/") == 0) return ++thread_count <= kThreadsMax;
  if (thread.count == kAccessesMax) return false;
  Access& access = thread.accesses[thread.count++];
  return std::sscanf(word, "%7[a-z]%d@%d=%u", access.kind, &access.size, &access.offset, &access.value) >= 3;
}

}  // namespace

int main(int argc, char** argv) {
  for (int i = 1; i < argc; ++i)
    if (!read_word(argv[i])) return 100;
  pthread_t handles[kThreadsMax];
  for (int i = 0; i < thread_count; ++i) pthread_create(&handles[i], nullptr, run, &threads[i]);
  for (int i = 0; i < thread_count; ++i) pthread_join(handles[i], nullptr);
  for (int i = 0; i < thread_count; ++i)
    for (int at = 0; at < threads[i].count; ++at)
      std::printf("%llx ", static_cast<unsigned long long>(threads[i].accesses[at].result));
  std::uint64_t last = 0;
  std::memcpy(&last, bytes, sizeof last);
  std::printf("%llx\n", static_cast<unsigned long long>(last));
}
