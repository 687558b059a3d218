// How heddle enters an unmodified program: it is loaded before the program's libraries, replaces the function that
// calls `main`, and runs `main` as the first operation of every execution.
#include <stdlib.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>

#include "engine/control.hpp"
#include "preload/kernel_state.hpp"
#include "preload/openmp.hpp"
#include "preload/server.hpp"
#include "preload/unwinder.hpp"
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

/// The body of every execution. It includes what runs after `main`: atexit handlers and destructors of statics.
void run_main(void*) {
  preload::settle_openmp();
  exit(call.main(call.count, call.words, call.variables));
}

/// Registered before any handler of the program, so it runs after all of them.
void after_all_handlers(int code, void*) {
  if (!engine::is_controlled()) return;
  if (runtime::front.scheduler().enabled().size() > 1)  // others may see what the handlers left before the end
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

/// Programs started by this one are not explored.
void leave_no_sign() {
  unsetenv(preload::kChannelVariable);
  put_back(preload::kPreload);
  put_back(preload::kBindNow);
  put_back(preload::kSpinCount);
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
  preload::load_unwinder_if_needed();
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

HEDDLE_EXPORT int __libc_start_main(Main main, int count, char** words, void (*init)(), void (*fini)(),
                                    void (*rtld_fini)(), void* stack_end) {
  call.main = main;
  return start_in_libc(init != nullptr)(channel != nullptr ? explore_main : main, count, words, init, fini, rtld_fini,
                                        stack_end);
}
