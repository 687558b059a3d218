// What the tests of the C API share: a check that says where and why, and threads that are operations.
#pragma once

#include <heddle/heddle.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define CHECK(condition)                                                                      \
  do {                                                                                        \
    if (!(condition)) {                                                                       \
      fprintf(stderr, "%s:%d: not so: %s (last error: %s)\n", __FILE__, __LINE__, #condition, \
              heddle_last_error_message());                                                   \
      exit(1);                                                                                \
    }                                                                                         \
  } while (0)

#define CHECK_CODE(expected, call)                                                                         \
  do {                                                                                                     \
    const heddle_code got_ = (call);                                                                       \
    if (got_ != (expected)) {                                                                              \
      fprintf(stderr, "%s:%d: %s is %s, not %s: %s\n", __FILE__, __LINE__, #call, heddle_error_name(got_), \
              heddle_error_name(expected), got_ == HEDDLE_OK ? "" : heddle_last_error_message());          \
      exit(1);                                                                                             \
    }                                                                                                      \
  } while (0)

#define CHECK_OK(call) CHECK_CODE(HEDDLE_OK, call)

/// A thread of the test's own that is operation `id` while it runs `body`.
struct operation {
  uint64_t id;
  void (*body)(uint64_t id);
  pthread_t thread;
};

static inline void* run_operation(void* argument) {
  const struct operation* self = argument;
  if (heddle_start_operation(self->id) == HEDDLE_OK) {
    self->body(self->id);
    heddle_end_operation(self->id);
  }
  return NULL;
}

static inline void spawn(struct operation* operation, uint64_t id, void (*body)(uint64_t id)) {
  operation->id = id;
  operation->body = body;
  CHECK_OK(heddle_create_operation(id));
  CHECK(pthread_create(&operation->thread, NULL, run_operation, operation) == 0);
}

/// Of the thread alone, for when the operation has been joined or the iteration is over.
static inline void join_thread(const struct operation* operation) { CHECK(pthread_join(operation->thread, NULL) == 0); }
