// Misuse of a primitive, as found by the intercepted functions. All of this is off the common path.
#pragma once

#include "base/ids.hpp"
#include "engine/detectors/sentence.hpp"
#include "model/misuse.hpp"
#include "model/resource.hpp"

namespace heddle::runtime {

/// The caller misuses a primitive: the verdict is `T1` and the sentence. Returns `error` if that is allowed.
[[gnu::cold, gnu::format(printf, 3, 4)]] int misused(model::Misuse what, int error, const char* format, ...);

/// `mutex m1`
engine::Described described(ResourceId id);
/// `T1 holds it`, as seen by the caller; if `who` is the caller: `it holds it itself`.
engine::Described doing(OperationId who, const char* does);

/// An unlock by an operation that does not hold the lock.
[[gnu::cold]] int unlocked_by_a_stranger(ResourceId id, OperationId holder);

// The lifecycle of an object: it is initialised, used and destroyed. Many objects are created and abandoned without a
// call (by a static initialiser, or by reuse of their memory), so only what is certain is reported:
//
// * An object counts as destroyed if its memory says so: libc or heddle wrote a mark there, and creating another object
//   there overwrites it.
// * An object is in use if an operation holds it or waits for it.
// * An object is initialised twice if another operation uses it, or if it is waited for. In the static storage of a
//   module, which is never reused for another object, also if the caller holds it, or if it was initialised before in
//   this execution and used.

/// Before an object is initialised. That is a step, so that others may use the object before: whoever starts a thread
/// and initialises after that what the thread uses has done it too late.
[[gnu::cold]] void check_initialisation(const void* address, model::ResourceKind kind, const void* place);
void note_initialisation(const void* address, model::ResourceKind kind);
/// Before an object is destroyed. That is a step, so that others may use the object just before.
[[gnu::cold]] void stand_before_destruction(const void* address, model::ResourceKind kind, const void* place);
/// Called when it is destroyed. Not 0: it is in use, which is allowed, and nothing may be done.
int check_destruction(const void* address, model::ResourceKind kind, bool is_destroyed);
void note_destruction(const void* address, model::ResourceKind kind);
/// The caller came to use a destroyed object. Returns if that is allowed.
[[gnu::cold]] void used_after_destruction(const void* address, model::ResourceKind kind);

}  // namespace heddle::runtime
