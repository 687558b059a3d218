#include "engine/tls_image.hpp"

#include <link.h>
#include <pthread.h>

#include <cstring>
#include <string_view>

#include "base/arch/x86_64/thread_pointer.hpp"
#include "base/check.hpp"

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
    // In a thread that has run nothing yet, only static blocks exist.
    if (info->dlpi_tls_data == nullptr || keeps_its_state(info->dlpi_name)) return 0;
    for (int i = 0; i < info->dlpi_phnum; ++i) {
      const ElfW(Phdr)& header = info->dlpi_phdr[i];
      if (header.p_type != PT_TLS || header.p_memsz == 0) continue;
      static_cast<TlsImage*>(result)->segments_.push_back(
          {static_cast<char*>(info->dlpi_tls_data) - reinterpret_cast<char*>(thread_pointer()),
           reinterpret_cast<const void*>(info->dlpi_addr + header.p_vaddr), header.p_filesz, header.p_memsz});
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
  segments_.clear();
  pthread_t fresh;
  HEDDLE_CHECK(pthread_create(&fresh, nullptr, Collector::collect, this) == 0, "no thread to be had");
  pthread_join(fresh, nullptr);
}

void TlsImage::put_back(std::uintptr_t pointer) const {
  // Most libraries have a few words or none: a call costs more than the stores.
  using Word = volatile std::uint32_t;
  constexpr std::size_t kSmall = 64;
  for (const Segment& segment : segments_) {
    char* block = reinterpret_cast<char*>(pointer) + segment.offset;
    if (segment.bytes <= kSmall && (segment.bytes | segment.image_bytes) % sizeof(Word) == 0) {
      const auto* image = static_cast<const char*>(segment.image);
      std::size_t at = 0;
      for (; at < segment.image_bytes; at += sizeof(Word))
        *reinterpret_cast<Word*>(block + at) = *reinterpret_cast<const Word*>(image + at);
      for (; at < segment.bytes; at += sizeof(Word)) *reinterpret_cast<Word*>(block + at) = 0;
      continue;
    }
    std::memcpy(block, segment.image, segment.image_bytes);
    std::memset(block + segment.image_bytes, 0, segment.bytes - segment.image_bytes);
  }
}

}  // namespace heddle::engine
