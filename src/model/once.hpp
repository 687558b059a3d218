// One-time initialisation: somebody runs it, the others wait for the end, or for it to fail and be free again.
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
  OperationId runner_ = kNoOperation;  // who runs the initialisation now
  bool done_ = false;
};

}  // namespace heddle::model
