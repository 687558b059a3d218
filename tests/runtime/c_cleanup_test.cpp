// Cleanup handlers as C code pushes them, without exceptions: a buffer to jump to instead of a destructor.
// <pthread.h> has both forms and chooses by this macro, so it must be the first header.
#pragma push_macro("__EXCEPTIONS")
#undef __EXCEPTIONS
#include <pthread.h>
#pragma pop_macro("__EXCEPTIONS")

#include <semaphore.h>

#include <string>

#include "runtime/on_both.hpp"

namespace heddle::test {
namespace {

HEDDLE_ON_BOTH(CCleanup);

sem_t never;
std::string order;

extern "C" {

static void note(void* letter) {
  order += *static_cast<const char*>(letter);
  heddle::step();
}

static void* wait_for_ever(void* letters) {
  char* const letter = static_cast<char*>(letters);
  pthread_cleanup_push(note, letter);
  pthread_cleanup_push(note, letter + 1);
  sem_wait(&never);
  pthread_cleanup_pop(0);
  pthread_cleanup_pop(0);
  return nullptr;
}

static void* end_itself(void* letters) {
  char* const letter = static_cast<char*>(letters);
  pthread_cleanup_push(note, letter);
  pthread_cleanup_push(note, letter + 1);
  pthread_exit(letters);
  pthread_cleanup_pop(0);
  pthread_cleanup_pop(0);
  return nullptr;
}

static void* pop(void* letters) {
  char* const letter = static_cast<char*>(letters);
  pthread_cleanup_push(note, letter);
  pthread_cleanup_push(note, letter + 1);
  pthread_cleanup_pop(1);
  pthread_cleanup_pop(0);
  return letters;
}
}

char letters[] = "ab";

void* run(void* (*body)(void*), bool cancels) {
  order.clear();
  sem_init(&never, 0, 0);
  pthread_t thread;
  pthread_create(&thread, nullptr, body, letters);
  if (cancels) {
    heddle::step();
    pthread_cancel(thread);
  }
  void* result = nullptr;
  pthread_join(thread, &result);
  return result;
}

TEST_P(CCleanup, HandlersRunWhenCancelled) {
  passes([] {
    assert(run(wait_for_ever, true) == PTHREAD_CANCELED);
    assert(order == "ba");
  });
}

TEST_P(CCleanup, HandlersRunAtPthreadExit) {
  passes([] {
    assert(run(end_itself, false) == letters);
    assert(order == "ba");
  });
}

TEST_P(CCleanup, HandlersArePopped) {
  passes([] {
    assert(run(pop, false) == letters);
    assert(order == "b");
  });
}

}  // namespace
}  // namespace heddle::test
