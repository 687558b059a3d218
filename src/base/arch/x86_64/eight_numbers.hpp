// Operations on eight numbers at once, without branches. They use SSE2, which every x86-64 processor has.
#pragma once

#include <emmintrin.h>

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

}  // namespace heddle
