// One-time initialisation: one operation runs it. The others wait until it succeeds, or fails and can be run again.
#pragma once

#include "base/ids.hpp"

namespace heddle::model {

class Once {
 public:
  Once() = default;
  explicit Once(bool done) : done_(done) {}

  bool is_done() const { return done_; }
  OperationId runner() const { return runner_; }
  bool admits() const { return runner_ == kNoOperation; }

  void begin(OperationId self) { runner_ = self; }  // only when admitted and not done
  void end(bool succeeded) {
    runner_ = kNoOperation;
    done_ = succeeded;
  }

 private:
  OperationId runner_ = kNoOperation;  // the operation that runs the initialisation now
  bool done_ = false;
};

}  // namespace heddle::model
