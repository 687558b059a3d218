#include "engine/donor.hpp"

#include <dlfcn.h>
#include <linux/futex.h>
#include <pthread.h>
#include <signal.h>
#include <sys/syscall.h>

#include <cerrno>
#include <new>

#include "base/arch/x86_64/thread_pointer.hpp"
#include "base/check.hpp"
#include "base/machine.hpp"
#include "base/raw.hpp"

extern "C" [[gnu::weak]] void __asan_unpoison_memory_region(const volatile void* address, std::size_t bytes);

namespace heddle::engine {
namespace {

constexpr std::size_t kAsanStackBytes = 2u << 20;  // AddressSanitizer clears its marks of all of it for each thread
constexpr std::size_t kOwnFrames = 16u << 10;      // for the frames that the donor waits on, above those of operations
constexpr std::size_t kRecentFrames = 32u << 10;   // deeper than heddle's own frames at the bottom of an operation

using CreateFunction = int (*)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);

// Bypasses every other interceptor: a sanitizer would take the donor for a thread of the program.
CreateFunction create_in_libc() {
  static const auto function = reinterpret_cast<CreateFunction>(dlsym(RTLD_NEXT, "pthread_create"));
  HEDDLE_CHECK(function != nullptr, "libc has no pthread_create");
  return function;
}

/// What libc gives a thread without attributes: the limit of the user's shell. Only touched pages cost memory.
std::size_t usual_in_libc() {
  static const std::size_t bytes = [] {
    pthread_attr_t usual;
    std::size_t found = 0;
    pthread_getattr_default_np(&usual);
    pthread_attr_getstacksize(&usual, &found);
    pthread_attr_destroy(&usual);
    return whole_pages(found);
  }();
  return bytes;
}

void* live(void* argument) {
  auto& self = *static_cast<Donor*>(argument);
  self.thread_pointer = thread_pointer();
  self.own.top = static_cast<char*>(__builtin_frame_address(0)) - kOwnFrames;
  self.life(self);
  return nullptr;
}

}  // namespace

void ParkingSpot::wait(std::uint32_t while_value) const {
  raw::futex_wait(reinterpret_cast<const std::uint32_t*>(&word_), while_value);
}

void ParkingSpot::wake() const { raw::futex_wake_one(reinterpret_cast<const std::uint32_t*>(&word_)); }

void ParkingSpot::park_beside_carrier() const {
  for (;;) raw::syscall6_directly(SYS_futex, reinterpret_cast<long>(&word_), FUTEX_WAIT_PRIVATE, 0, 0, 0, 0);
}

void ParkingSpot::wake_beside_carrier() const {
  raw::syscall6_directly(SYS_futex, reinterpret_cast<long>(&word_), FUTEX_WAKE_PRIVATE, 1, 0, 0, 0);
}

void Donor::tell_ready() {
  ready.set(1);
  ready.wake_beside_carrier();
}

bool Donor::is_starting = false;

std::size_t usual_stack_bytes() {
  return &__asan_unpoison_memory_region == nullptr ? usual_in_libc() : kAsanStackBytes;
}

bool is_usual_stack(std::size_t bytes) { return whole_pages(bytes) == usual_in_libc(); }

Donor* Donor::start(Life life, void* owner, const StackArea& stacks, std::uint32_t number) {
  const StackMemory stack = stacks.map(number);
  if (stack.low == nullptr) {
    refusals.note(Scarce::memory, ENOMEM);
    return nullptr;
  }
  auto* donor = new (raw::map_pages(sizeof(Donor))) Donor;
  donor->life = life;
  donor->owner = owner;
  donor->number = number;
  donor->own.bounds = {stack.low, stack.low + stack.bytes, stack.bytes - kRoomForHeddle};

  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstack(&attributes, stack.low, stack.usable);
  sigset_t all, saved;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &saved);
  pthread_t thread;
  is_starting = true;
  const int error = create_in_libc()(&thread, &attributes, heddle::engine::live, donor);
  if (error == 0) donor->ready.park(0);
  is_starting = false;
  pthread_sigmask(SIG_SETMASK, &saved, nullptr);
  pthread_attr_destroy(&attributes);
  if (error != 0) {
    refusals.note(Scarce::thread, error);
    stacks.unmap(number, stack);
    raw::unmap_pages(donor, sizeof(Donor));
    return nullptr;
  }
  return donor;
}

const OperationStack& Donor::another_stack(const StackWish& wish) {
  char* const end = wish.memory + wish.bytes;
  asked_for =
      wish.memory != nullptr ? OperationStack{{wish.memory, end, wish.bytes}, end} : other.of(wish.bytes, number);
  return asked_for;
}

void forget_stack(const OperationStack& stack, bool was_abandoned) {
  if (&__asan_unpoison_memory_region == nullptr) return;
  const char* low = was_abandoned ? stack.bounds.low : stack.top - kRecentFrames;
  if (low < stack.bounds.low) low = stack.bounds.low;
  __asan_unpoison_memory_region(low, static_cast<std::size_t>(stack.top - low));
}

}  // namespace heddle::engine
