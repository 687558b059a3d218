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
  static const std::optional<Program> program = argc == 2 ? parse(argv[1]) : std::nullopt;
  if (!program) {
    std::fprintf(stderr, "usage: whole PROGRAM\n");
    return 100;
  }
  sem_init(&point, 0, 0);
  Hooks hooks;
  hooks.step = step;
  static Threads threads(*program, hooks);
  threads.run();
  return 0;
}
