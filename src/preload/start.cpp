// How heddle comes into a program that nobody changed: it is loaded before the program's libraries, takes the place of
// the function that calls `main`, and runs `main` as the first operation of every execution.
#include <stdlib.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>

#include "engine/control.hpp"
#include "preload/kernel_state.hpp"
#include "preload/server.hpp"
#include "runtime/front.hpp"
#include "runtime/real.hpp"

using namespace heddle;

namespace {

using Main = int (*)(int, char**, char**);

struct Call {
  Main main = nullptr;
  int count = 0;
  char** words = nullptr;
  char** variables = nullptr;
};
Call call;

/// The body of every execution. What comes after `main` belongs to it: handlers of atexit, destructors of statics.
void run_main(void*) { exit(call.main(call.count, call.words, call.variables)); }

/// Registered before anything of the program's, so it runs after all of it.
void after_all_handlers(int code, void*) {
  if (!engine::is_controlled()) return;
  if (runtime::front.scheduler().enabled().size() > 1)  // others may see what the handlers left before all is over
    runtime::front.execution().step({model::EventKind::exit, kNoResource, nullptr});
  {
    const engine::Uncontrolled heddle_at_work;
    std::fflush(nullptr);
  }
  runtime::front.end_program(code);
}

void put_back(const preload::ChangedVariable& variable) {
  const char* const saved = getenv(variable.saved);
  if (saved == nullptr) return;
  if (saved[0] == '=')
    setenv(variable.name, saved + 1, 1);
  else
    unsetenv(variable.name);
  unsetenv(variable.saved);
}

/// A program that is started by this one is not explored.
void leave_no_sign() {
  unsetenv(preload::kChannelVariable);
  put_back(preload::kPreload);
  put_back(preload::kBindNow);
  put_back(preload::kSanitizerOptions);
}

preload::Channel* channel = nullptr;

[[gnu::constructor]] void begin() {
  channel = preload::channel_of_environment();
  if (channel == nullptr) return;
  on_exit(after_all_handlers, nullptr);
  leave_no_sign();
}

int explore_main(int count, char** words, char** variables) {
  call.count = count;
  call.words = words;
  call.variables = variables;
  preload::end_of_start();
  runtime::RealFunction::find_all();
  runtime::front.set_program(run_main);
  return preload::serve(*channel);
}

using Start = int(Main, int, char**, void (*)(), void (*)(), void (*)(), void*);

Start* start_in_libc(bool runs_init) {
  // Programs linked before glibc 2.34 bring the functions that run constructors, and expect them to be called.
  void* const found =
      runs_init ? dlvsym(RTLD_NEXT, "__libc_start_main", "GLIBC_2.2.5") : dlsym(RTLD_NEXT, "__libc_start_main");
  HEDDLE_CHECK(found != nullptr, "libc has no __libc_start_main");
  return reinterpret_cast<Start*>(found);
}

}  // namespace

/// Only for this library: what is static in it is never destroyed. The program's exit handlers run in every execution,
/// and heddle must outlive them.
extern "C" [[gnu::visibility("hidden")]] int __cxa_atexit(void (*)(void*), void*, void*) noexcept { return 0; }

HEDDLE_EXPORT int __libc_start_main(Main main, int count, char** words, void (*init)(), void (*fini)(),
                                    void (*rtld_fini)(), void* stack_end) {
  call.main = main;
  return start_in_libc(init != nullptr)(channel != nullptr ? explore_main : main, count, words, init, fini, rtld_fini,
                                        stack_end);
}
