// What a forked copy of the program still shares with its parent although memory is separate: the files open at the
// fork, and their positions.
#pragma once

#include <string>
#include <vector>

namespace heddle::preload {

struct Offset {
  int descriptor;
  long position;
};
using Offsets = std::vector<Offset>;

/// The positions of all open files that have one. What is written to the standard streams is truncated elsewhere.
Offsets offsets_now();
void put_back(const Offsets& offsets);

std::vector<int> open_descriptors();

/// Describes a descriptor opened since then through which one execution could leave something behind for the next (a
/// file open for writing, a pipe, a socket); empty if there is none.
std::string shared_descriptor(const std::vector<int>& open_before);

}  // namespace heddle::preload
