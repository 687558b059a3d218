// A read-write lock: any number of readers, or one writer. Readers are preferred, as in glibc's default, or writers:
// then a reader waits behind a writer that waits, even one who reads already.
#pragma once

#include <cerrno>
#include <cstdint>

#include "base/ids.hpp"

namespace heddle::model {

class ReadWriteLock {
 public:
  ReadWriteLock() = default;
  explicit ReadWriteLock(bool prefers_writers) : prefers_writers_(prefers_writers) {}

  bool prefers_writers() const { return prefers_writers_; }
  /// A writer found it taken and begins, or ceases, to wait.
  void writer_waits() { ++waiting_writers_; }
  void writer_waits_no_more() { --waiting_writers_; }

  OperationId writer() const { return writer_; }
  std::uint32_t readers() const { return readers_; }
  bool is_free() const { return writer_ == kNoOperation && readers_ == 0; }
  /// The one who holds it, if it is one: the writer, or the only reader.
  OperationId holder() const {
    if (writer_ != kNoOperation || readers_ != 1) return writer_;
    return OperationId{reader_mix_ - 1};
  }
  /// One of those who hold it, for reports.
  OperationId some_holder() const { return readers_ > 1 ? last_reader_ : holder(); }

  /// The writer that asks again is admitted only to be told EDEADLK.
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

  /// EPERM: nobody holds it, or another operation writes or is the only one to read. Of several readers it is not
  /// known who they are.
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

 private:
  void mix(OperationId self) { reader_mix_ ^= index(self) + 1; }

  OperationId writer_ = kNoOperation;
  OperationId last_reader_ = kNoOperation;  // one of those who read, for reports
  std::uint32_t readers_ = 0;               // 0 while there is a writer
  std::uint32_t reader_mix_ = 0;            // the exclusive or of index + 1 of each: of a single reader, who it is
  std::uint32_t waiting_writers_ = 0;
  bool prefers_writers_ = false;
};

}  // namespace heddle::model
