// Misuse of a primitive, as the intercepted functions find it. All of this is off the usual path.
#pragma once

#include "base/ids.hpp"
#include "engine/detectors/sentence.hpp"
#include "model/misuse.hpp"
#include "model/resource.hpp"

namespace heddle::runtime {

/// The caller misuses a primitive: the verdict is `T1` and the sentence. Returns `error` if that is tolerated.
[[gnu::cold, gnu::format(printf, 3, 4)]] int misused(model::Misuse what, int error, const char* format, ...);

/// `mutex m1`
engine::Described described(ResourceId id);
/// `T1 holds it`: who does it, as the caller would say it; `it holds it itself`.
engine::Described doing(OperationId who, const char* does);

/// An unlock by somebody who does not hold it.
[[gnu::cold]] int unlocked_by_a_stranger(ResourceId id, OperationId holder);

// The life of an object: it is initialised, used and destroyed. Many are made and given up without a call (by a static
// initialiser, by their memory being used for something else), so what is not certain is not reported:
//
// * Destroyed is what says so itself, in its memory: libc or heddle wrote that there, and whatever makes another object
//   there writes over it.
// * In use is what somebody holds or waits for.
// * Initialised twice is what is in use by another, or waited for; and, in the static storage of a module, which is
//   never used for another object, what the caller holds, or what was initialised before in this execution and used.

/// Before an object is initialised.
[[gnu::cold]] void check_initialisation(const void* address, model::ResourceKind kind);
void note_initialisation(const void* address, model::ResourceKind kind);
/// Before it is destroyed. Not 0: it is in use, which is tolerated, and nothing may be done.
int check_destruction(const void* address, model::ResourceKind kind, bool is_destroyed);
void note_destruction(const void* address, model::ResourceKind kind);
/// The caller came to use an object that was destroyed. Comes back if that is tolerated.
[[gnu::cold]] void used_after_destruction(const void* address, model::ResourceKind kind);

}  // namespace heddle::runtime
