// Makes sources of randomness the same in every execution: getrandom, getentropy, arc4random, std::random_device, and
// the seeds of rand, random and drand48, which libc would keep from the previous execution.
//
// libstdc++'s std::random_device takes its numbers from a processor instruction, so its own functions are replaced;
// they are called for each number, through the dynamic linker.
#include "runtime/libc/same_random.hpp"

#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>

#include "base/random.hpp"
#include "runtime/front.hpp"
#include "runtime/real.hpp"
#include "runtime/tsan/watch.hpp"

using namespace heddle;
using namespace heddle::runtime;

extern "C" {
unsigned _ZNSt13random_device9_M_getvalEv(void*);
unsigned _ZNSt13random_device16_M_getval_pretr1Ev(void*);
}

HEDDLE_REAL(getrandom);
HEDDLE_REAL(getentropy);
HEDDLE_REAL(arc4random);
HEDDLE_REAL(arc4random_buf);
HEDDLE_REAL(arc4random_uniform);
HEDDLE_REAL(rand);
HEDDLE_REAL(srand);
HEDDLE_REAL(random);
HEDDLE_REAL(srandom);
HEDDLE_REAL(initstate);
HEDDLE_REAL(setstate);
HEDDLE_REAL(drand48);
HEDDLE_REAL(lrand48);
HEDDLE_REAL(mrand48);
HEDDLE_REAL(srand48);
HEDDLE_REAL(_ZNSt13random_device9_M_getvalEv);
HEDDLE_REAL(_ZNSt13random_device16_M_getval_pretr1Ev);

namespace {

constexpr std::uint64_t kSeed = 0x6865'6464'6c65;

constinit std::uint64_t execution = 0;  // that `generator` was seeded for
Random generator(kSeed);
constinit bool libc_was_used = false;  // since its seeds were reset
constinit std::uint64_t libc_used_in = 0;

std::uint64_t next() {
  if (execution != front.execution_number()) {
    execution = front.execution_number();
    generator = Random(kSeed);
  }
  if (is_controlled()) note_seen_outside();
  return generator.next();
}

/// The state of libc's generators belongs to the process, so it is reset at the first use in each execution.
void use_libc() {
  if (!is_controlled() || libc_used_in == front.execution_number()) return;
  libc_used_in = front.execution_number();
  if (libc_was_used) {
    static char state[128];  // the size of libc's own
    real_initstate(1, state, sizeof state);
    unsigned short start[3] = {0, 0, 0};
    seed48(start);
  }
  libc_was_used = true;
}

}  // namespace

namespace heddle::runtime {

void fill_random(void* bytes, std::size_t count) {
  auto* at = static_cast<char*>(bytes);
  while (count > 0) {
    const std::uint64_t word = next();
    const std::size_t part = std::min(count, sizeof word);
    memcpy(at, &word, part);
    at += part;
    count -= part;
  }
}

}  // namespace heddle::runtime

HEDDLE_EXPORT ssize_t getrandom(void* bytes, size_t count, unsigned flags) {
  if (!is_controlled()) return real_getrandom(bytes, count, flags);
  fill_random(bytes, count);
  return static_cast<ssize_t>(count);
}

HEDDLE_EXPORT int getentropy(void* bytes, size_t count) {
  if (!is_controlled()) return real_getentropy(bytes, count);
  if (count > 256) {
    errno = EIO;
    return -1;
  }
  fill_random(bytes, count);
  return 0;
}

HEDDLE_EXPORT std::uint32_t arc4random() noexcept {
  return is_controlled() ? static_cast<std::uint32_t>(next()) : real_arc4random();
}

HEDDLE_EXPORT void arc4random_buf(void* bytes, size_t count) noexcept {
  if (!is_controlled()) return real_arc4random_buf(bytes, count);
  fill_random(bytes, count);
}

HEDDLE_EXPORT std::uint32_t arc4random_uniform(std::uint32_t bound) noexcept {
  if (!is_controlled()) return real_arc4random_uniform(bound);
  return bound < 2 ? 0 : static_cast<std::uint32_t>((next() >> 32) * bound >> 32);
}

HEDDLE_EXPORT unsigned _ZNSt13random_device9_M_getvalEv(void* self) {
  return is_controlled() ? static_cast<unsigned>(next()) : real__ZNSt13random_device9_M_getvalEv(self);
}

HEDDLE_EXPORT unsigned _ZNSt13random_device16_M_getval_pretr1Ev(void* self) {
  return is_controlled() ? static_cast<unsigned>(next()) : real__ZNSt13random_device16_M_getval_pretr1Ev(self);
}

HEDDLE_EXPORT int rand() noexcept {
  use_libc();
  return real_rand();
}

HEDDLE_EXPORT void srand(unsigned seed) noexcept {
  use_libc();
  real_srand(seed);
}

HEDDLE_EXPORT long random() noexcept {
  use_libc();
  return real_random();
}

HEDDLE_EXPORT void srandom(unsigned seed) noexcept {
  use_libc();
  real_srandom(seed);
}

HEDDLE_EXPORT char* initstate(unsigned seed, char* state, size_t size) noexcept {
  use_libc();
  return real_initstate(seed, state, size);
}

HEDDLE_EXPORT char* setstate(char* state) noexcept {
  use_libc();
  return real_setstate(state);
}

HEDDLE_EXPORT double drand48() noexcept {
  use_libc();
  return real_drand48();
}

HEDDLE_EXPORT long lrand48() noexcept {
  use_libc();
  return real_lrand48();
}

HEDDLE_EXPORT long mrand48() noexcept {
  use_libc();
  return real_mrand48();
}

HEDDLE_EXPORT void srand48(long seed) noexcept {
  use_libc();
  real_srand48(seed);
}
