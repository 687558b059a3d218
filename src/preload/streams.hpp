// The standard streams of the program: every execution can read the same input, and the output of each execution is
// kept separate.
#pragma once

#include <string>

#include "preload/channel.hpp"
#include "preload/descriptors.hpp"

namespace heddle::preload {

class Streams {
 public:
  explicit Streams(const Request& request) : request_(request) {}

  /// The positions of the streams at some moment.
  struct Point {
    Offsets files;
    std::string output;
    std::string errors;
  };

  Point here() const;
  void put_back(const Point& point);

  /// Call after the program ran in this process: it may have closed every descriptor that it did not know.
  void reopen() const;

  std::string output() const;
  std::string errors() const;

 private:
  const Request& request_;
};

}  // namespace heddle::preload
