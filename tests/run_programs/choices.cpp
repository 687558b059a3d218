// Runs the body that its first argument names.
#include <cstring>

#include "choices/bodies.hpp"

int main(int count, char** words) {
  for (const choices::Body& each : choices::all()) {
    if (count != 2 || std::strcmp(words[1], each.name) != 0) continue;
    each.function();
    return 0;
  }
  return 100;  // there is none of this name
}
