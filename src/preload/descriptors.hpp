// What a copy of the program shares with the process it was forked from although memory is not: the files that were
// open then, and how far they were read.
#pragma once

#include <string>
#include <vector>

namespace heddle::preload {

struct Offset {
  int descriptor;
  long position;
};
using Offsets = std::vector<Offset>;

/// Of all open files that have one; what is written to the standard streams is cut back elsewhere.
Offsets offsets_now();
void put_back(const Offsets& offsets);

std::vector<int> open_descriptors();

/// A descriptor that was opened since, and through which one execution could leave something behind for the next (a
/// file that is written, a pipe, a socket), in words; empty if there is none.
std::string shared_descriptor(const std::vector<int>& open_before);

}  // namespace heddle::preload
