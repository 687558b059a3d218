// A small process between the command and the program that it runs, which ends everything that the program started.
//
// It adopts the orphans of the program, and it ends them all when the program has ended, when the command asks, and
// when the command is gone, even by SIGKILL: a pipe then closes. If the guardian itself is killed, the command adopts
// its orphans in turn. So nothing is left behind, whatever the program does, unless both are killed at once.
#pragma once

#include <atomic>
#include <functional>

namespace heddle::cli {

class Guardian {
 public:
  /// `become_program` runs in a new process and does not return. Throws if there can be no such process.
  explicit Guardian(const std::function<void()>& become_program);
  ~Guardian();  // ends everything
  Guardian(const Guardian&) = delete;
  Guardian& operator=(const Guardian&) = delete;

  /// Waits for so long. True: the program and all that it started have ended.
  bool has_ended(int milliseconds);
  /// Ends everything now.
  void end();

  int process() const { return process_; }  // the guardian itself
  int program() const { return shared_->program; }
  int status() const { return shared_->status; }   // of the program, when it has ended
  bool was_killed() const { return was_killed_; }  // the guardian, by something else
  bool left_some() const { return left_some_; }    // processes that could not be ended

 private:
  struct Shared {
    std::atomic<int> program{0};
    std::atomic<int> error{0};
    std::atomic<int> status{0};
    std::atomic<bool> left_some{false};
    std::atomic<bool> done{false};
  };

  [[noreturn]] void guard(const std::function<void()>& become_program);
  void wait_for_program() const;

  Shared* shared_;
  int pipe_[2] = {-1, -1};  // the command has the second end, and never writes
  int process_ = -1;
  int handle_ = -1;
  bool has_ended_ = false;
  bool was_killed_ = false;
  bool left_some_ = false;
};

}  // namespace heddle::cli
