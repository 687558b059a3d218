// Every atomic operation on every size: each returns what was there and leaves what it should. Says what is wrong.
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <thread>

namespace {

__extension__ using Wide = unsigned __int128;

int wrong = 0;

void expect(bool right, const char* operation, std::size_t size) {
  if (right) return;
  std::printf("%s of %zu bytes is wrong\n", operation, size);
  ++wrong;
}

/// The bytes 0x11, 0x22, 0x33, ... times `factor`, so that each one counts.
template <typename Value>
Value pattern(unsigned factor) {
  Value value = 0;
  for (unsigned i = 1; i <= sizeof value; ++i)
    value |= static_cast<Value>(static_cast<Value>(0x11 * i * factor % 256) << (8 * (i - 1)));
  return value;
}

#define CHECK_FETCH(operation, result)                                               \
  {                                                                                  \
    volatile Value at = a;                                                           \
    const Value old = __atomic_##operation(&at, b, __ATOMIC_SEQ_CST);                \
    expect(old == a && at == static_cast<Value>(result), #operation, sizeof(Value)); \
  }

template <typename Value>
void check_operations() {
  const Value a = pattern<Value>(1);
  const Value b = pattern<Value>(7);
  volatile Value stored = a;  // as all here: or Clang would know what is in it
  expect(__atomic_load_n(&stored, __ATOMIC_ACQUIRE) == a, "load", sizeof(Value));
  __atomic_store_n(&stored, b, __ATOMIC_RELEASE);
  expect(stored == b, "store", sizeof(Value));
  CHECK_FETCH(exchange_n, b)
  CHECK_FETCH(fetch_add, a + b)
  CHECK_FETCH(fetch_sub, a - b)
  CHECK_FETCH(fetch_and, a & b)
  CHECK_FETCH(fetch_or, a | b)
  CHECK_FETCH(fetch_xor, a ^ b)
  CHECK_FETCH(fetch_nand, ~(a & b))
}

template <typename Value>
void check_compare_exchange(bool weak) {
  const Value a = pattern<Value>(1);
  const Value b = pattern<Value>(7);
  volatile Value at = a;
  Value expected = a;
  const auto exchange = [&](Value desired) {
    return weak ? __atomic_compare_exchange_n(&at, &expected, desired, true, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED)
                : __atomic_compare_exchange_n(&at, &expected, desired, false, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED);
  };
  expect(exchange(b) && at == b && expected == a, "compare_exchange that succeeds", sizeof(Value));
  expect(!exchange(a) && at == b && expected == b, "compare_exchange that fails", sizeof(Value));
}

/// No addition is lost, of all the bytes.
template <typename Value>
void check_threads() {
  constexpr unsigned kTimes = 5000;
  const Value step = pattern<Value>(1);
  volatile Value sum = 0;
  const auto add = [&] {
    for (unsigned i = 0; i < kTimes; ++i) __atomic_fetch_add(&sum, step, __ATOMIC_RELAXED);
  };
  std::thread one(add);
  std::thread two(add);
  one.join();
  two.join();
  expect(sum == static_cast<Value>(step * (2 * kTimes)), "fetch_add by two threads", sizeof(Value));
}

template <typename Value>
void check() {
  check_operations<Value>();
  check_compare_exchange<Value>(false);
  check_compare_exchange<Value>(true);
  check_threads<Value>();
}

}  // namespace

int main() {
  check<std::uint8_t>();
  check<std::uint16_t>();
  check<std::uint32_t>();
  check<std::uint64_t>();
  check<Wide>();
  std::atomic_thread_fence(std::memory_order_seq_cst);
  std::atomic_signal_fence(std::memory_order_seq_cst);
  if (wrong == 0) std::puts("all right");
  return wrong;
}
