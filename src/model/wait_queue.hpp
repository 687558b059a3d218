// The operations in a wait, in order of arrival.
//
// An operation is in at most one queue at a time. So the links live in one table with a row for each operation, and a
// queue is three numbers. Waiting allocates nothing.
#pragma once

#include <cstdint>

#include "base/check.hpp"
#include "base/ids.hpp"
#include "base/page_vector.hpp"

namespace heddle::model {

class WaitLinks {
 public:
  struct Link {
    OperationId next = kNoOperation;
    OperationId previous = kNoOperation;
  };

  void clear() { links_.clear(); }
  Link& operator[](OperationId id) {
    if (index(id) >= links_.size()) [[unlikely]]
      links_.resize(index(id) + 1);
    return links_[index(id)];
  }

 private:
  PageVector<Link> links_;
};

class WaitQueue {
 public:
  bool empty() const { return size_ == 0; }
  std::uint32_t size() const { return size_; }
  OperationId front() const { return head_; }

  void push(WaitLinks& links, OperationId id) {
    links[id] = {kNoOperation, tail_};
    (size_ == 0 ? head_ : links[tail_].next) = id;
    tail_ = id;
    ++size_;
  }

  void remove(WaitLinks& links, OperationId id) {
    HEDDLE_CHECK(size_ > 0, "an operation leaves a queue that is empty");
    const WaitLinks::Link link = links[id];
    (link.previous == kNoOperation ? head_ : links[link.previous].next) = link.next;
    (link.next == kNoOperation ? tail_ : links[link.next].previous) = link.previous;
    --size_;
  }

  OperationId at(WaitLinks& links, std::uint32_t position) const {
    OperationId id = head_;
    while (position-- > 0) id = links[id].next;
    return id;
  }

 private:
  OperationId head_ = kNoOperation;
  OperationId tail_ = kNoOperation;
  std::uint32_t size_ = 0;
};

}  // namespace heddle::model
