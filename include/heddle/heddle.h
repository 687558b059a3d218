// The C API: operations and resources, for runtimes and languages that bring threads of their own.
//
// This follows Nekara (Agarwal et al., "Nekara: Generalized Concurrency Testing", ASE 2021). An operation is a thread,
// a task or an actor; a resource is anything that an operation waits for. You describe your concurrency in these words,
// as mocks of your own primitives. heddle lets one operation run at a time and chooses which.
//
//   heddle_open("portfolio", 1);
//   while (heddle_attach() == HEDDLE_OK) {         // once per iteration; you become operation 0
//     test();
//     if (heddle_detach() != HEDDLE_OK) {          // how the iteration ended
//       puts(heddle_last_error_message());
//       heddle_save_trace("bug.trace");            // heddle_replay("bug.trace") repeats it
//       break;
//     }
//   }
//   heddle_close();
//
// You choose the ids of operations and resources: any 64-bit numbers. Every call returns a code. While nothing is
// attached, every call does nothing and returns HEDDLE_NOT_ATTACHED, so mocks may stay in place. Inside the body of
// heddle::explore the same calls act on the threads that are under control there. docs/c-api.md is the guide.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifndef HEDDLE_API
#if defined(__GNUC__)
#define HEDDLE_API __attribute__((visibility("default")))
#else
#define HEDDLE_API
#endif
#endif

#ifdef __cplusplus
extern "C" {
#endif

// What a call returns. The numbers never change.
typedef enum heddle_code {
  HEDDLE_OK = 0,

  // How an iteration ended. A call that was blocked at that moment, and every later call until heddle_detach, also
  // returns the code and does nothing: threads run free, and must wind down.
  HEDDLE_DEADLOCK = 100,       // no operation could go on
  HEDDLE_LIVELOCK = 101,       // no longer returned; HEDDLE_CUT is returned instead
  HEDDLE_CUT = 102,            // did not end within steps_max: says nothing about the program
  HEDDLE_NEVER_STARTED = 103,  // an operation was created, but no thread started it
  HEDDLE_FAILED = 104,         // heddle_fail was called; only heddle_detach returns this
  HEDDLE_DIVERGED = 105,       // a replay could not be followed; only heddle_detach returns this

  // The exploration.
  HEDDLE_NOT_OPEN = 200,           // call heddle_open first
  HEDDLE_NOT_ATTACHED = 201,       // calls have no effect outside heddle_attach and heddle_detach
  HEDDLE_ALREADY_ATTACHED = 202,   // not allowed between heddle_attach and heddle_detach
  HEDDLE_ALREADY_EXPLORING = 203,  // not allowed inside the body of heddle::explore, which does this itself
  HEDDLE_NOTHING_LEFT = 204,       // the strategy has explored all that it was asked to
  HEDDLE_BAD_STRATEGY = 205,       // there is no such strategy, or it has no such parameter
  HEDDLE_BAD_TRACE = 206,          // the trace cannot be read, or is not of the C API
  HEDDLE_NOTHING_TO_SAVE = 207,    // no iteration has run yet
  HEDDLE_CANNOT_WRITE = 208,       // the trace file cannot be written
  HEDDLE_BAD_ARGUMENT = 209,

  // Operations.
  HEDDLE_DUPLICATE_OPERATION = 300,  // already created, and not ended
  HEDDLE_UNKNOWN_OPERATION = 301,    // never created in this iteration
  HEDDLE_NOT_STARTED = 302,
  HEDDLE_ALREADY_STARTED = 303,
  HEDDLE_ALREADY_ENDED = 304,
  HEDDLE_MAIN_CREATED = 305,  // operation 0 is the thread that attached: it already exists
  HEDDLE_MAIN_STARTED = 306,  // operation 0 already runs
  HEDDLE_MAIN_ENDED = 307,    // operation 0 ends with heddle_detach
  HEDDLE_NOT_MAIN = 308,      // only the thread that attached can detach
  HEDDLE_NOT_RUNNING = 309,   // called by a thread that is not the running operation
  HEDDLE_THREAD_TAKEN = 310,  // the thread is already an operation
  HEDDLE_NOT_WAITING = 311,   // the operation does not wait for that resource

  // Resources.
  HEDDLE_DUPLICATE_RESOURCE = 400,
  HEDDLE_UNKNOWN_RESOURCE = 401,
  HEDDLE_RESOURCE_IN_USE = 402,  // an operation waits for it
} heddle_code;

/// The name of a code, such as "HEDDLE_DEADLOCK"; "HEDDLE_?" if there is no such code. Valid for ever.
HEDDLE_API const char* heddle_error_name(int code);
/// One sentence about the last call on this thread that did not return HEDDLE_OK. Valid until the next such call.
HEDDLE_API const char* heddle_last_error_message(void);

// --- The exploration --------------------------------------------------------------------------------------------

/// Begins an exploration. `strategy` is, for example, "random", "pct:depth=3" or "dfs"; NULL means "portfolio". The
/// same seed gives the same schedules.
HEDDLE_API heddle_code heddle_open(const char* strategy, uint64_t seed);
/// Ends the exploration. heddle_open does this to the previous one.
HEDDLE_API heddle_code heddle_close(void);
/// Options: "steps_max": a longer iteration is stopped (200000). "start_timeout_ms": how long to wait for the thread of
/// an operation that was created (10000).
HEDDLE_API heddle_code heddle_set_option(const char* name, uint64_t value);

/// Begins an iteration: the caller becomes operation 0. HEDDLE_NOTHING_LEFT: a systematic search has finished.
HEDDLE_API heddle_code heddle_attach(void);
/// Ends the iteration and returns how it ended: HEDDLE_OK, HEDDLE_FAILED, HEDDLE_DEADLOCK and so on. The iteration does
/// not end if the call returns HEDDLE_NOT_ATTACHED, HEDDLE_NOT_MAIN or HEDDLE_ALREADY_EXPLORING. Operations that have
/// not ended run free.
HEDDLE_API heddle_code heddle_detach(void);

/// Declares that this iteration has failed. The iteration goes on until heddle_detach; the first message counts. Inside
/// heddle::explore the execution ends here, and the call does not return.
HEDDLE_API heddle_code heddle_fail(const char* message);
/// Writes the last iteration (or, before heddle_detach, the current one so far) as a trace file.
HEDDLE_API heddle_code heddle_save_trace(const char* path);
/// The next iteration follows this trace. If it cannot, its heddle_detach returns HEDDLE_DIVERGED, and the message
/// names the first step that differs. Needs no heddle_open.
HEDDLE_API heddle_code heddle_replay(const char* path);

// --- Operations -------------------------------------------------------------------------------------------------

/// The parent calls this before it spawns the thread. Not a scheduling point. The id of an operation that has ended may
/// be used again.
HEDDLE_API heddle_code heddle_create_operation(uint64_t id);
/// The new thread calls this first. Returns when the operation is scheduled for the first time.
HEDDLE_API heddle_code heddle_start_operation(uint64_t id);
/// The thread of the operation calls this last. Lets another operation run and returns at once.
HEDDLE_API heddle_code heddle_end_operation(uint64_t id);
/// A scheduling point that waits until the operation has ended. Call this before you join the thread itself.
HEDDLE_API heddle_code heddle_join_operation(uint64_t id);
/// The same for all of several operations.
HEDDLE_API heddle_code heddle_join_all(const uint64_t* ids, size_t count);
/// The same for any one of several operations; `which` (may be NULL) gets the index of one that has ended.
HEDDLE_API heddle_code heddle_join_any(const uint64_t* ids, size_t count, size_t* which);
/// The id of the running operation.
HEDDLE_API heddle_code heddle_current_operation(uint64_t* id);

// --- Resources --------------------------------------------------------------------------------------------------

/// A resource is only its id and the operations that wait for it. It lives until heddle_detach at most.
HEDDLE_API heddle_code heddle_create_resource(uint64_t id);
HEDDLE_API heddle_code heddle_delete_resource(uint64_t id);
/// Blocks the running operation until the resource is signalled. Signals are not remembered.
HEDDLE_API heddle_code heddle_wait_resource(uint64_t id);
/// Blocks until each of the resources has been signalled since the call.
HEDDLE_API heddle_code heddle_wait_all(const uint64_t* ids, size_t count);
/// Blocks until one of the resources is signalled; `which` (may be NULL) gets its index.
HEDDLE_API heddle_code heddle_wait_any(const uint64_t* ids, size_t count, size_t* which);
/// Unblocks every operation that waits for the resource. Not a scheduling point: they run when they are scheduled.
HEDDLE_API heddle_code heddle_signal_resource(uint64_t id);
/// Unblocks one operation that waits for the resource. If it does not wait: HEDDLE_NOT_WAITING, and no effect.
HEDDLE_API heddle_code heddle_signal_operation(uint64_t resource, uint64_t operation);

// --- Scheduling points and choices ------------------------------------------------------------------------------

/// A scheduling point: another operation may run now. It stands for any event.
HEDDLE_API heddle_code heddle_schedule(void);

typedef enum heddle_event {
  HEDDLE_READ = 1,
  HEDDLE_WRITE = 2,
  HEDDLE_ACQUIRE = 3,
} heddle_event;

/// A scheduling point that says what the operation does next. It promises that up to its next scheduling point the
/// operation touches nothing shared except `id`, and that HEDDLE_READ does not change it. `id` may be a resource or any
/// other number.
HEDDLE_API heddle_code heddle_schedule_event(heddle_event event, uint64_t id);
/// A scheduling point for an operation that cannot usefully go on until another has run: call it in a spin loop.
HEDDLE_API heddle_code heddle_yield(void);

/// Gets a value that the strategy chooses. It is recorded and replayed, and systematic strategies explore both values.
HEDDLE_API heddle_code heddle_choose_boolean(bool* value);
/// The same with one of 0 … bound-1, where bound is 1 … 2^31-1.
HEDDLE_API heddle_code heddle_choose_integer(uint32_t bound, uint32_t* value);
/// Gets whether an action that can fail should fail here. Explored like heddle_choose_boolean, but strategies that
/// learn try a failure once at each place and seldom again.
HEDDLE_API heddle_code heddle_inject_failure(bool* fails);

/// Shows strategies that learn the state of something that operations change, as a number or a hash. Pass the part that
/// matters for the bugs that you look for. `id` tells several such things apart: any number, such as an address. Not a
/// scheduling point.
HEDDLE_API heddle_code heddle_observe(uint64_t id, uint64_t state);

#ifdef __cplusplus
}
#endif
