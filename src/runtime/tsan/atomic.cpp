// Atomic memory accesses: compilers leave them to these functions.
//
// Under control each is a scheduling point, and all of them are sequentially consistent; their memory orders only
// determine happens-before. Elsewhere in the process they do what they say, with the strongest order.
#include <cstdint>
#include <type_traits>

#include "base/arch/x86_64/wide_exchange.hpp"
#include "runtime/real.hpp"
#include "runtime/tsan/watch.hpp"

using namespace heddle;
using namespace heddle::runtime;
using model::EventKind;
using model::MemoryOrder;

namespace {

/// Some compilers pass more than the order, in the upper bits.
MemoryOrder order_of(int passed) {
  const int low = passed & 0x7f;
  return low <= static_cast<int>(MemoryOrder::seq_cst) ? static_cast<MemoryOrder>(low) : MemoryOrder::seq_cst;
}

using heddle::exchange_if_equal;  // for 16 bytes

template <typename T>
bool exchange_if_equal(volatile T* at, T& expected, T desired) {
  return __atomic_compare_exchange_n(at, &expected, desired, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
}

template <typename T>
T read(const volatile T* at) {
  if constexpr (std::is_same_v<T, Wide>) {
    Wide value = 0;  // replaced with itself if it is zero
    exchange_if_equal(const_cast<volatile Wide*>(at), value, Wide{0});
    return value;
  } else {
    return __atomic_load_n(at, __ATOMIC_SEQ_CST);
  }
}

/// Returns the previous value.
template <typename T, typename Change>
T change(volatile T* at, const Change& changed) {
  T value = read(at);
  while (!exchange_if_equal(at, value, changed(value))) {
  }
  return value;
}

template <typename T>
T load(const volatile T* at, int order, const void* place) {
  if (!is_watched()) return read(at);
  const ResourceId what = watch.atomics().stand_before_load(EventKind::load, at, sizeof(T), place);
  const T value = read(at);
  watch.atomics().loaded(what, at, sizeof value, order_of(order), static_cast<std::uint64_t>(value), place);
  return value;
}

template <typename T>
void store(volatile T* at, T value, int order, const void* place) {
  const bool watched = is_watched();
  const ResourceId what =
      watched ? watch.atomics().stand_before_store(EventKind::store, at, sizeof(T), place) : kNoResource;
  if constexpr (std::is_same_v<T, Wide>)
    change(at, [&](T) { return value; });
  else
    __atomic_store_n(at, value, __ATOMIC_SEQ_CST);
  if (watched) watch.atomics().stored(what, at, sizeof value, order_of(order), place);
}

template <typename T, typename Change>
T update(volatile T* at, int order, const void* place, const Change& changed) {
  const bool watched = is_watched();
  const ResourceId what =
      watched ? watch.atomics().stand_before_load(EventKind::update, at, sizeof(T), place) : kNoResource;
  const T before = change(at, changed);
  if (watched)
    watch.atomics().updated(what, at, sizeof before, order_of(order), static_cast<std::uint64_t>(before),
                            changed(before) != before, place);
  return before;
}

/// A failed exchange is a read, and perhaps another round of a loop.
template <typename T>
bool compare_exchange(volatile T* at, T* expected, T desired, int order, int order_of_failure, bool is_weak,
                      const void* place) {
  if (!is_watched()) return exchange_if_equal(at, *expected, desired);
  const ResourceId what = watch.atomics().stand_before_load(EventKind::update, at, sizeof(T), place);
  const T wanted = *expected;
  T seen = read(at);
  const bool fails = seen == wanted && is_weak && watch.atomics().weak_fails();
  if (!fails && seen == wanted && exchange_if_equal(at, seen, desired)) {
    watch.atomics().updated(what, at, sizeof seen, order_of(order), static_cast<std::uint64_t>(wanted),
                            desired != wanted, place);
    return true;
  }
  watch.atomics().loaded(what, at, sizeof seen, order_of(order_of_failure), static_cast<std::uint64_t>(seen), place);
  *expected = seen;
  return false;
}

}  // namespace

#define HEDDLE_TSAN_UPDATE(bits, T, name, expression)                                                  \
  HEDDLE_EXPORT T __tsan_atomic##bits##_##name(volatile T* at, T operand, int order) {                 \
    return update(at, order, HEDDLE_PLACE, [operand](T value) { return static_cast<T>(expression); }); \
  }

#define HEDDLE_TSAN_ATOMIC(bits, T)                                                                                  \
  HEDDLE_EXPORT T __tsan_atomic##bits##_load(const volatile T* at, int order) {                                      \
    return load(at, order, HEDDLE_PLACE);                                                                            \
  }                                                                                                                  \
  HEDDLE_EXPORT void __tsan_atomic##bits##_store(volatile T* at, T value, int order) {                               \
    store(at, value, order, HEDDLE_PLACE);                                                                           \
  }                                                                                                                  \
  HEDDLE_TSAN_UPDATE(bits, T, exchange, (static_cast<void>(value), operand))                                         \
  HEDDLE_TSAN_UPDATE(bits, T, fetch_add, value + operand)                                                            \
  HEDDLE_TSAN_UPDATE(bits, T, fetch_sub, value - operand)                                                            \
  HEDDLE_TSAN_UPDATE(bits, T, fetch_and, value& operand)                                                             \
  HEDDLE_TSAN_UPDATE(bits, T, fetch_or, value | operand)                                                             \
  HEDDLE_TSAN_UPDATE(bits, T, fetch_xor, value ^ operand)                                                            \
  HEDDLE_TSAN_UPDATE(bits, T, fetch_nand, ~(value & operand))                                                        \
  HEDDLE_EXPORT int __tsan_atomic##bits##_compare_exchange_strong(volatile T* at, T* expected, T desired, int order, \
                                                                  int order_of_failure) {                            \
    return compare_exchange(at, expected, desired, order, order_of_failure, false, HEDDLE_PLACE);                    \
  }                                                                                                                  \
  HEDDLE_EXPORT int __tsan_atomic##bits##_compare_exchange_weak(volatile T* at, T* expected, T desired, int order,   \
                                                                int order_of_failure) {                              \
    return compare_exchange(at, expected, desired, order, order_of_failure, true, HEDDLE_PLACE);                     \
  }                                                                                                                  \
  HEDDLE_EXPORT T __tsan_atomic##bits##_compare_exchange_val(volatile T* at, T expected, T desired, int order,       \
                                                             int order_of_failure) {                                 \
    compare_exchange(at, &expected, desired, order, order_of_failure, false, HEDDLE_PLACE);                          \
    return expected;                                                                                                 \
  }

HEDDLE_TSAN_ATOMIC(8, std::uint8_t)
HEDDLE_TSAN_ATOMIC(16, std::uint16_t)
HEDDLE_TSAN_ATOMIC(32, std::uint32_t)
HEDDLE_TSAN_ATOMIC(64, std::uint64_t)
HEDDLE_TSAN_ATOMIC(128, Wide)

HEDDLE_EXPORT void __tsan_atomic_thread_fence(int order) {
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  if (is_watched()) watch.atomics().fenced(order_of(order), HEDDLE_PLACE);
}
HEDDLE_EXPORT void __tsan_atomic_signal_fence(int) {}
