// Operations on eight numbers at once, without branches. They use SSE2, which every x86-64 processor has.
#pragma once

#include <emmintrin.h>

#include <array>
#include <cstddef>
#include <cstdint>

namespace heddle {

/// One bit for each of the eight values at `numbers`: is it less than `wanted`? The comparison is signed.
inline std::uint32_t which_of_eight_are_less(const void* numbers, std::uint32_t wanted) {
  const __m128i all = _mm_set1_epi32(static_cast<int>(wanted));
  const auto* const four = static_cast<const __m128i*>(numbers);
  const __m128i low = _mm_cmplt_epi32(_mm_loadu_si128(four), all);
  const __m128i high = _mm_cmplt_epi32(_mm_loadu_si128(four + 1), all);
  return static_cast<std::uint32_t>(_mm_movemask_ps(_mm_castsi128_ps(low)) | _mm_movemask_ps(_mm_castsi128_ps(high))
                                                                                 << 4);
}

/// Moves eight 32-bit numbers. The ranges may overlap: all are read before any is written.
inline void move_eight(const void* from, void* to) {
  const auto* const source = static_cast<const __m128i*>(from);
  const __m128i low = _mm_loadu_si128(source);
  const __m128i high = _mm_loadu_si128(source + 1);
  auto* const target = static_cast<__m128i*>(to);
  _mm_storeu_si128(target, low);
  _mm_storeu_si128(target + 1, high);
}

struct BitsOfBytes {
  std::array<std::uint64_t, 256> positions{};  // of the bits set in each byte: ascending, each in one byte
  std::array<std::uint8_t, 256> counts{};      // how many are set
};

inline constexpr BitsOfBytes kBitsOfBytes = [] {
  BitsOfBytes all;
  for (std::uint32_t byte = 0; byte < 256; ++byte)
    for (std::uint64_t bit = 0; bit < 8; ++bit)
      if ((byte >> bit & 1) != 0) all.positions[byte] |= bit << 8 * all.counts[byte]++;
  return all;
}();

/// Writes `first` plus the position of each bit set in `byte`, ascending. Returns how many those are; eight numbers are
/// written in any case.
inline std::size_t write_positions(std::uint8_t byte, std::uint32_t first, void* to) {
  const __m128i base = _mm_set1_epi32(static_cast<int>(first));
  const __m128i none = _mm_setzero_si128();
  const __m128i wide = _mm_unpacklo_epi8(_mm_cvtsi64_si128(static_cast<long long>(kBitsOfBytes.positions[byte])), none);
  auto* const target = static_cast<__m128i*>(to);
  _mm_storeu_si128(target, _mm_add_epi32(base, _mm_unpacklo_epi16(wide, none)));
  _mm_storeu_si128(target + 1, _mm_add_epi32(base, _mm_unpackhi_epi16(wide, none)));
  return kBitsOfBytes.counts[byte];
}

}  // namespace heddle
