// Work in a process of its own, so that a search that crashes or hangs is a finding and not the end of the test. The
// calling process never explores by itself: the threads that a search keeps would not be in the child.
#pragma once

#include <functional>
#include <string>

namespace heddle::oracle {

struct Answer {
  bool died = false;  // it crashed, found a fault in heddle, or took longer than it may
  std::string text;   // what it wrote, and what it printed as errors
};

/// `work` writes its answer by `say`.
using Say = std::function<void(const std::string& text)>;
Answer in_child(unsigned seconds_max, const std::function<void(const Say& say)>& work);

}  // namespace heddle::oracle
