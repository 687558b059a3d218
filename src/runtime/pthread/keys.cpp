// Keys for thread-specific data. The values live where libc keeps them, in the thread block of the donor; what is done
// here is what libc does when a thread ends: destructors, run as part of the operation, and empty values for the next.
#include <pthread.h>

#include <array>
#include <climits>

#include "runtime/front.hpp"
#include "runtime/real.hpp"

using namespace heddle;
using namespace heddle::runtime;

HEDDLE_REAL(pthread_key_create);
HEDDLE_REAL(pthread_key_delete);

namespace {

struct Key {
  void (*destructor)(void*) = nullptr;
  bool exists = false;
  bool of_this_execution = false;  // made by an operation: gone when the execution is over
};

constinit std::array<Key, PTHREAD_KEYS_MAX> keys;
constinit unsigned keys_end = 0;  // no key from here on has ever existed
constinit bool any_of_this_execution = false;

}  // namespace

namespace heddle::runtime {

void run_key_destructors() {
  for (int round = 0; round < PTHREAD_DESTRUCTOR_ITERATIONS; ++round) {
    bool any = false;
    for (unsigned key = 0; key < keys_end; ++key) {
      if (!keys[key].exists || keys[key].destructor == nullptr) continue;
      void* const value = pthread_getspecific(key);
      if (value == nullptr) continue;
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

void delete_keys_of_execution() {
  if (!any_of_this_execution) return;
  any_of_this_execution = false;
  for (unsigned key = 0; key < keys_end; ++key)
    if (keys[key].exists && keys[key].of_this_execution) pthread_key_delete(key);
}

}  // namespace heddle::runtime

HEDDLE_EXPORT int pthread_key_create(pthread_key_t* key, void (*destructor)(void*)) noexcept {
  const int result = real_pthread_key_create(key, destructor);
  if (result != 0) return result;
  const bool controlled = is_controlled();
  keys[*key] = {destructor, true, controlled};
  any_of_this_execution = any_of_this_execution || controlled;
  if (*key >= keys_end) keys_end = *key + 1;
  return 0;
}

HEDDLE_EXPORT int pthread_key_delete(pthread_key_t key) noexcept {
  if (key < keys.size()) keys[key].exists = false;
  return real_pthread_key_delete(key);
}
