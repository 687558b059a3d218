// A read-write lock: any number of readers, or one writer. It prefers readers, as glibc does by default, or writers. If
// it prefers writers, a reader waits behind a waiting writer, even a reader that already holds the lock.
#pragma once

#include <cerrno>
#include <cstdint>

#include "base/hash.hpp"
#include "base/ids.hpp"

namespace heddle::model {

class ReadWriteLock {
 public:
  ReadWriteLock() = default;
  explicit ReadWriteLock(bool prefers_writers) : prefers_writers_(prefers_writers) {}

  bool prefers_writers() const { return prefers_writers_; }
  /// A writer found the lock taken and begins, or stops, waiting.
  void writer_waits() { ++waiting_writers_; }
  void writer_waits_no_more() { --waiting_writers_; }

  OperationId writer() const { return writer_; }
  std::uint32_t readers() const { return readers_; }
  bool is_free() const { return writer_ == kNoOperation && readers_ == 0; }
  /// The holder, if there is exactly one: the writer, or the only reader.
  OperationId holder() const {
    if (writer_ != kNoOperation || readers_ != 1) return writer_;
    return OperationId{reader_mix_ - 1};
  }
  /// One of the holders, for reports.
  OperationId some_holder() const { return readers_ > 1 ? last_reader_ : holder(); }

  /// A writer that asks again is admitted only so that it gets EDEADLK.
  bool admits_read(OperationId self) const {
    return (writer_ == kNoOperation && !(prefers_writers_ && waiting_writers_ > 0)) || writer_ == self;
  }
  bool admits_write(OperationId self) const { return (writer_ == kNoOperation && readers_ == 0) || writer_ == self; }

  int read_lock(OperationId self) {
    if (writer_ == self) return EDEADLK;
    ++readers_;
    last_reader_ = self;
    mix(self);
    return 0;
  }
  int write_lock(OperationId self) {
    if (writer_ == self) return EDEADLK;
    writer_ = self;
    return 0;
  }
  int try_read_lock(OperationId self) { return writer_ != self && admits_read(self) ? read_lock(self) : EBUSY; }
  int try_write_lock(OperationId self) { return writer_ == kNoOperation && readers_ == 0 ? write_lock(self) : EBUSY; }

  /// EPERM: the lock is free, or another operation is the writer or the only reader. With several readers, the lock
  /// does not know which operations they are.
  int unlock(OperationId self) {
    if (writer_ != kNoOperation) {
      if (writer_ != self) return EPERM;
      writer_ = kNoOperation;
      return 0;
    }
    if (readers_ == 0 || (readers_ == 1 && holder() != self)) return EPERM;
    --readers_;
    mix(self);
    return 0;
  }

  /// As one number: see Resource::state. Leaves out which of several readers came last: only reports use it.
  std::uint64_t state() const {
    const std::uint64_t readers = combine(heddle::mix(readers_), reader_mix_);
    return combine(combine(heddle::mix(index(writer_)), readers), waiting_writers_ * 2u + (prefers_writers_ ? 1u : 0u));
  }

 private:
  void mix(OperationId self) { reader_mix_ ^= index(self) + 1; }

  OperationId writer_ = kNoOperation;
  OperationId last_reader_ = kNoOperation;  // one of the readers, for reports
  std::uint32_t readers_ = 0;               // 0 while there is a writer
  std::uint32_t reader_mix_ = 0;            // exclusive or of index + 1 of each reader; with one reader it identifies
                                            // it
  std::uint32_t waiting_writers_ = 0;
  bool prefers_writers_ = false;
};

}  // namespace heddle::model
