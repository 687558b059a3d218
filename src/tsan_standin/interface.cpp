// libheddle_memory.so: what an instrumented program calls when it runs by itself.
//
// A program compiled with -fsanitize=thread calls a function at each memory access and for each atomic operation. Under
// `heddle run`, and in a program that links libheddle.so, heddle's own functions come first and these are never called.
// Here an access does nothing, and an atomic operation is performed as is, sequentially consistent regardless of the
// requested order.
//
// The names are those that GCC 12 to 14 and Clang 14 to 19 emit, and those of <sanitizer/tsan_interface.h> and of the
// dynamic annotations. Only libc is needed.
#include <cstddef>
#include <cstdint>
#include <cstring>

// Arguments come in registers: a function that uses none need not name them.
#define HEDDLE_NOTHING(name) \
  void name() {}
#define HEDDLE_NO_OBJECT(name) \
  void* name() { return nullptr; }

extern "C" {

// --- accesses ------------------------------------------------------------------------------------------------------

#define HEDDLE_ACCESSES(size)                          \
  HEDDLE_NOTHING(__tsan_read##size)                    \
  HEDDLE_NOTHING(__tsan_write##size)                   \
  HEDDLE_NOTHING(__tsan_read_write##size)              \
  HEDDLE_NOTHING(__tsan_read##size##_pc)               \
  HEDDLE_NOTHING(__tsan_write##size##_pc)              \
  HEDDLE_NOTHING(__tsan_volatile_read##size)           \
  HEDDLE_NOTHING(__tsan_volatile_write##size)          \
  HEDDLE_NOTHING(__tsan_unaligned_read##size)          \
  HEDDLE_NOTHING(__tsan_unaligned_write##size)         \
  HEDDLE_NOTHING(__tsan_unaligned_read_write##size)    \
  HEDDLE_NOTHING(__tsan_unaligned_volatile_read##size) \
  HEDDLE_NOTHING(__tsan_unaligned_volatile_write##size)

HEDDLE_ACCESSES(1)
HEDDLE_ACCESSES(2)
HEDDLE_ACCESSES(4)
HEDDLE_ACCESSES(8)
HEDDLE_ACCESSES(16)

HEDDLE_NOTHING(__tsan_read_range)
HEDDLE_NOTHING(__tsan_write_range)
HEDDLE_NOTHING(__tsan_read_range_pc)
HEDDLE_NOTHING(__tsan_write_range_pc)
HEDDLE_NOTHING(__tsan_vptr_read)
HEDDLE_NOTHING(__tsan_vptr_update)

void* __tsan_memcpy(void* to, const void* from, std::size_t size) { return std::memcpy(to, from, size); }
void* __tsan_memmove(void* to, const void* from, std::size_t size) { return std::memmove(to, from, size); }
void* __tsan_memset(void* to, int byte, std::size_t size) { return std::memset(to, byte, size); }

// --- threads, and what the program announces ------------------------------------------------------------------------

HEDDLE_NOTHING(__tsan_init)
HEDDLE_NOTHING(__tsan_func_entry)
HEDDLE_NOTHING(__tsan_func_exit)
HEDDLE_NOTHING(__tsan_ignore_thread_begin)
HEDDLE_NOTHING(__tsan_ignore_thread_end)
HEDDLE_NOTHING(__tsan_flush_memory)

HEDDLE_NOTHING(__tsan_acquire)
HEDDLE_NOTHING(__tsan_release)
HEDDLE_NOTHING(__tsan_mutex_create)
HEDDLE_NOTHING(__tsan_mutex_destroy)
HEDDLE_NOTHING(__tsan_mutex_pre_lock)
HEDDLE_NOTHING(__tsan_mutex_post_lock)
HEDDLE_NOTHING(__tsan_mutex_post_unlock)
HEDDLE_NOTHING(__tsan_mutex_pre_signal)
HEDDLE_NOTHING(__tsan_mutex_post_signal)
HEDDLE_NOTHING(__tsan_mutex_pre_divert)
HEDDLE_NOTHING(__tsan_mutex_post_divert)
int __tsan_mutex_pre_unlock() { return 0; }  // how many times a recursive mutex was held

HEDDLE_NO_OBJECT(__tsan_external_register_tag)
HEDDLE_NOTHING(__tsan_external_register_header)
HEDDLE_NOTHING(__tsan_external_assign_tag)
HEDDLE_NOTHING(__tsan_external_read)
HEDDLE_NOTHING(__tsan_external_write)

HEDDLE_NO_OBJECT(__tsan_get_current_fiber)
HEDDLE_NO_OBJECT(__tsan_create_fiber)
HEDDLE_NOTHING(__tsan_destroy_fiber)
HEDDLE_NOTHING(__tsan_switch_to_fiber)
HEDDLE_NOTHING(__tsan_set_fiber_name)

HEDDLE_NOTHING(AnnotateHappensBefore)
HEDDLE_NOTHING(AnnotateHappensAfter)
HEDDLE_NOTHING(AnnotateCondVarSignal)
HEDDLE_NOTHING(AnnotateCondVarSignalAll)
HEDDLE_NOTHING(AnnotateCondVarWait)
HEDDLE_NOTHING(AnnotateMutexIsNotPHB)
HEDDLE_NOTHING(AnnotateMutexIsUsedAsCondVar)
HEDDLE_NOTHING(AnnotateRWLockCreate)
HEDDLE_NOTHING(AnnotateRWLockCreateStatic)
HEDDLE_NOTHING(AnnotateRWLockDestroy)
HEDDLE_NOTHING(AnnotateRWLockAcquired)
HEDDLE_NOTHING(AnnotateRWLockReleased)
HEDDLE_NOTHING(AnnotatePCQCreate)
HEDDLE_NOTHING(AnnotatePCQDestroy)
HEDDLE_NOTHING(AnnotatePCQPut)
HEDDLE_NOTHING(AnnotatePCQGet)
HEDDLE_NOTHING(AnnotateNewMemory)
HEDDLE_NOTHING(AnnotateTraceMemory)
HEDDLE_NOTHING(AnnotatePublishMemoryRange)
HEDDLE_NOTHING(AnnotateUnpublishMemoryRange)
HEDDLE_NOTHING(AnnotateMemoryIsInitialized)
HEDDLE_NOTHING(AnnotateMemoryIsUninitialized)
HEDDLE_NOTHING(AnnotateExpectRace)
HEDDLE_NOTHING(AnnotateFlushExpectedRaces)
HEDDLE_NOTHING(AnnotateBenignRace)
HEDDLE_NOTHING(AnnotateBenignRaceSized)
HEDDLE_NOTHING(AnnotateIgnoreReadsBegin)
HEDDLE_NOTHING(AnnotateIgnoreReadsEnd)
HEDDLE_NOTHING(AnnotateIgnoreWritesBegin)
HEDDLE_NOTHING(AnnotateIgnoreWritesEnd)
HEDDLE_NOTHING(AnnotateIgnoreSyncBegin)
HEDDLE_NOTHING(AnnotateIgnoreSyncEnd)
HEDDLE_NOTHING(AnnotateEnableRaceDetection)
HEDDLE_NOTHING(AnnotateFlushState)
HEDDLE_NOTHING(AnnotateThreadName)
HEDDLE_NOTHING(AnnotateNoOp)
HEDDLE_NOTHING(WTFAnnotateHappensBefore)
HEDDLE_NOTHING(WTFAnnotateHappensAfter)
HEDDLE_NOTHING(WTFAnnotateBenignRaceSized)

int RunningOnValgrind() { return 0; }
double ValgrindSlowdown() { return 1; }
const char* ThreadSanitizerQuery() { return "0"; }

}  // extern "C"

// --- atomic operations ---------------------------------------------------------------------------------------------

namespace {

__extension__ using Wide = unsigned __int128;

/// 16-byte operations have only the compare-and-swap (-mcx16), which needs writable memory.
template <typename Value>
Value load(const volatile Value* at) {
  if constexpr (sizeof(Value) <= 8) {
    return __atomic_load_n(at, __ATOMIC_SEQ_CST);
  } else {
    return __sync_val_compare_and_swap(const_cast<volatile Value*>(at), Value{0}, Value{0});
  }
}

/// Stores change(old) atomically; returns old.
template <typename Value, typename Change>
Value replace(volatile Value* at, Change change) {
  for (Value old = load(at);;) {
    const Value seen = __sync_val_compare_and_swap(at, old, static_cast<Value>(change(old)));
    if (seen == old) return old;
    old = seen;
  }
}

template <typename Value>
int compare_exchange(volatile Value* at, Value* expected, Value desired) {
  const Value seen = __sync_val_compare_and_swap(at, *expected, desired);
  if (seen == *expected) return 1;
  *expected = seen;
  return 0;
}

}  // namespace

#define HEDDLE_REPLACE(bits, Value, operation, result)                          \
  Value __tsan_atomic##bits##_##operation(volatile Value* at, Value value) {    \
    return replace(at, [value]([[maybe_unused]] Value old) { return result; }); \
  }

// The memory orders come last, so they need not be named.
#define HEDDLE_ATOMICS(bits, Value)                                                                       \
  Value __tsan_atomic##bits##_load(const volatile Value* at) { return load(at); }                         \
  void __tsan_atomic##bits##_store(volatile Value* at, Value value) {                                     \
    replace(at, [value](Value) { return value; });                                                        \
  }                                                                                                       \
  HEDDLE_REPLACE(bits, Value, exchange, value)                                                            \
  HEDDLE_REPLACE(bits, Value, fetch_add, old + value)                                                     \
  HEDDLE_REPLACE(bits, Value, fetch_sub, old - value)                                                     \
  HEDDLE_REPLACE(bits, Value, fetch_and, (old & value))                                                   \
  HEDDLE_REPLACE(bits, Value, fetch_or, old | value)                                                      \
  HEDDLE_REPLACE(bits, Value, fetch_xor, old ^ value)                                                     \
  HEDDLE_REPLACE(bits, Value, fetch_nand, ~(old & value))                                                 \
  int __tsan_atomic##bits##_compare_exchange_strong(volatile Value* at, Value* expected, Value desired) { \
    return compare_exchange(at, expected, desired);                                                       \
  }                                                                                                       \
  int __tsan_atomic##bits##_compare_exchange_weak(volatile Value* at, Value* expected, Value desired) {   \
    return compare_exchange(at, expected, desired);                                                       \
  }                                                                                                       \
  Value __tsan_atomic##bits##_compare_exchange_val(volatile Value* at, Value expected, Value desired) {   \
    return __sync_val_compare_and_swap(at, expected, desired);                                            \
  }

extern "C" {

HEDDLE_ATOMICS(8, std::uint8_t)
HEDDLE_ATOMICS(16, std::uint16_t)
HEDDLE_ATOMICS(32, std::uint32_t)
HEDDLE_ATOMICS(64, std::uint64_t)
HEDDLE_ATOMICS(128, Wide)

void __tsan_atomic_thread_fence() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
void __tsan_atomic_signal_fence() { __atomic_signal_fence(__ATOMIC_SEQ_CST); }

}  // extern "C"
