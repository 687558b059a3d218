// A program as data in a process of its own, for `heddle run`: it is given as text, and run by plain threads.
#include <semaphore.h>

#include <cstdio>
#include <optional>

#include "oracle/threads.hpp"

namespace {

sem_t point;  // whatever looks at it stands at a scheduling point

void step() {
  int unused = 0;
  sem_getvalue(&point, &unused);
}

}  // namespace

int main(int argc, char** argv) {
  using namespace heddle::oracle;
  // Never destroyed: threads may go on while the exit handlers run, and after them.
  const auto* const program = new std::optional<Program>(argc == 2 ? parse(argv[1]) : std::nullopt);
  if (!*program) {
    std::fprintf(stderr, "usage: whole PROGRAM\n");
    return 100;
  }
  sem_init(&point, 0, 0);
  Hooks hooks;
  hooks.step = step;
  (new Threads(**program, hooks))->run();
  return 0;
}
