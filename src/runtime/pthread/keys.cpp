// Keys for thread-specific data. libc keeps the values, in the thread block of the donor. This file does what libc does
// when a thread ends: it runs destructors, as part of the operation, and clears the values for the next one.
//
// A key that an execution made and did not delete may be a leak, or the code that made it may remember it (with a once
// flag or a static, as libstdc++ does for notify_all_at_thread_exit). Only time tells them apart: a key in which a
// later execution keeps a value is remembered. The others are deleted when many have accumulated.
#include <pthread.h>

#include <array>
#include <climits>
#include <cstdint>

#include "runtime/front.hpp"
#include "runtime/real.hpp"

using namespace heddle;
using namespace heddle::runtime;

HEDDLE_REAL(pthread_key_create);
HEDDLE_REAL(pthread_key_delete);

namespace {

struct Key {
  void (*destructor)(void*) = nullptr;
  std::uint64_t execution = 0;  // the execution that made it; 0: made outside, or remembered
  bool exists = false;
};

constexpr unsigned kUncertainMax = 256;  // of 1024 possible keys

constinit std::array<Key, PTHREAD_KEYS_MAX> keys;
constinit unsigned keys_end = 0;        // no key from here on has ever existed
constinit unsigned uncertain = 0;       // keys that exist and have an execution
constinit std::uint64_t execution = 1;  // the running execution, or the next one

void remember(Key& key) {
  key.execution = 0;
  --uncertain;
}

}  // namespace

namespace heddle::runtime {

void run_key_destructors() {
  for (int round = 0; round < PTHREAD_DESTRUCTOR_ITERATIONS; ++round) {
    bool any = false;
    for (unsigned key = 0; key < keys_end; ++key) {
      if (!keys[key].exists) continue;
      const bool is_old = keys[key].execution != 0 && keys[key].execution != execution;
      if (keys[key].destructor == nullptr && !is_old) continue;
      void* const value = pthread_getspecific(key);
      if (value == nullptr) continue;
      if (is_old) remember(keys[key]);
      if (keys[key].destructor == nullptr) continue;
      pthread_setspecific(key, nullptr);
      keys[key].destructor(value);  // may step
      any = true;
    }
    if (!any) return;
  }
}

void clear_keys() {
  for (unsigned key = 0; key < keys_end; ++key)
    if (keys[key].exists && pthread_getspecific(key) != nullptr) pthread_setspecific(key, nullptr);
}

bool has_key_values() {
  for (unsigned key = 0; key < keys_end; ++key)
    if (keys[key].exists && pthread_getspecific(key) != nullptr) return true;
  return false;
}

void delete_keys_of_execution() {
  ++execution;
  if (uncertain <= kUncertainMax) return;
  for (unsigned key = 0; key < keys_end; ++key)
    if (keys[key].exists && keys[key].execution != 0) pthread_key_delete(key);
}

}  // namespace heddle::runtime

HEDDLE_EXPORT int pthread_key_create(pthread_key_t* key, void (*destructor)(void*)) noexcept {
  const int result = real_pthread_key_create(key, destructor);
  if (result != 0) return result;
  const bool controlled = is_controlled();
  keys[*key] = {destructor, controlled ? execution : 0, true};
  uncertain += controlled ? 1 : 0;
  if (*key >= keys_end) keys_end = *key + 1;
  return 0;
}

HEDDLE_EXPORT int pthread_key_delete(pthread_key_t key) noexcept {
  if (is_controlled()) front.step_if_others_can(HEDDLE_PLACE);  // threads that end before run its destructor
  if (key < keys.size() && keys[key].exists) {
    keys[key].exists = false;
    if (keys[key].execution != 0) --uncertain;
  }
  return real_pthread_key_delete(key);
}

HEDDLE_ALIAS(__pthread_key_create, pthread_key_create);
