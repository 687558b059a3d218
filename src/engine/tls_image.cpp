#include "engine/tls_image.hpp"

#include <link.h>
#include <pthread.h>

#include <cstring>
#include <string_view>

#include "base/arch/x86_64/thread_pointer.hpp"
#include "base/machine.hpp"

namespace heddle::engine {
namespace {

bool keeps_its_state(std::string_view path) {
  const std::string_view file = path.substr(path.rfind('/') + 1);
  for (std::string_view prefix : {"libc.so", "libc-", "ld-linux", "libheddle"})
    if (file.starts_with(prefix)) return true;
  return false;
}

unsigned long long loads() {
  unsigned long long count = 0;
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* result) {
        *static_cast<unsigned long long*>(result) = info->dlpi_adds + info->dlpi_subs;
        return 1;
      },
      &count);
  return count;
}

}  // namespace

struct TlsImage::Collector {
  static int visit(dl_phdr_info* info, std::size_t, void* result) {
    // A thread that has run nothing yet has only static blocks.
    if (info->dlpi_tls_data == nullptr || keeps_its_state(info->dlpi_name)) return 0;
    for (int i = 0; i < info->dlpi_phnum; ++i) {
      const ElfW(Phdr)& header = info->dlpi_phdr[i];
      if (header.p_type != PT_TLS || header.p_memsz == 0) continue;
      static_cast<TlsImage*>(result)->add(
          {static_cast<char*>(info->dlpi_tls_data) - reinterpret_cast<char*>(thread_pointer()),
           reinterpret_cast<const char*>(info->dlpi_addr + header.p_vaddr), header.p_filesz, header.p_memsz});
    }
    return 0;
  }

  static void* collect(void* image) {
    dl_iterate_phdr(visit, image);
    return nullptr;
  }
};

void TlsImage::refresh() {
  const unsigned long long seen = loads();
  if (seen == loads_seen_) return;
  loads_seen_ = seen;
  words_.clear();
  halves_.clear();
  segments_.clear();
  pthread_t fresh;
  if (const int error = pthread_create(&fresh, nullptr, Collector::collect, this)) end_refused(Scarce::thread, error);
  pthread_join(fresh, nullptr);
}

// Most libraries have a few words or none: a call for each, or even a loop, costs more than the stores.
void TlsImage::add(const Segment& segment) {
  constexpr std::size_t kSmall = 64;
  if (segment.bytes > kSmall || segment.bytes % sizeof(Half::value) != 0) {
    segments_.push_back(segment);
    return;
  }
  char fresh[kSmall] = {};
  std::memcpy(fresh, segment.image, segment.image_bytes);
  std::size_t at = 0;
  for (; at + sizeof(Word::value) <= segment.bytes; at += sizeof(Word::value)) {
    Word& word = words_.append(Word{segment.offset + static_cast<std::ptrdiff_t>(at), 0});
    std::memcpy(&word.value, fresh + at, sizeof word.value);
  }
  if (at == segment.bytes) return;
  Half& half = halves_.append(Half{segment.offset + static_cast<std::ptrdiff_t>(at), 0});
  std::memcpy(&half.value, fresh + at, sizeof half.value);
}

void TlsImage::put_back(std::uintptr_t pointer) const {
  char* const base = reinterpret_cast<char*>(pointer);
  for (const Word& word : words_) std::memcpy(base + word.offset, &word.value, sizeof word.value);
  for (const Half& half : halves_) std::memcpy(base + half.offset, &half.value, sizeof half.value);
  for (const Segment& segment : segments_) {
    std::memcpy(base + segment.offset, segment.image, segment.image_bytes);
    std::memset(base + segment.offset + segment.image_bytes, 0, segment.bytes - segment.image_bytes);
  }
}

}  // namespace heddle::engine
