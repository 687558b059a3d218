// Finds rings of operations that could wait for each other, from what each of them holds when it takes a lock.
//
// An operation that holds A and takes B is an edge from A to B. Edges of different operations that form a ring are a
// prediction, unless two of them exclude each other because both hold a third lock. Two readers do not wait for each
// other. The lock graph is that of Goodlock (Havelund 2000).
//
// Everything goes by locks, not by operations: edges of many operations with the same locks are one, which knows the
// first kWhoMax operations that have it. So neither the edges nor the rings multiply with the operations that do the
// same, and a ring of up to kWhoMax edges is found if and only if different operations can have its edges. In a longer
// one, an edge that kWhoMax operations have counts as anybody's.
//
// Short rings are sought first. Each new edge is the start of a search for rings of up to 2, 3, 4, 8 and 1,024 edges,
// in which kLooksMax edges are looked at for each of these lengths after one execution. At most kRingsMax rings are
// kept.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "base/page_vector.hpp"
#include "model/event_table.hpp"
#include "strategy/support/names.hpp"

namespace heddle::strategy {

class LockRings {
 public:
  static constexpr std::uint32_t kAnyFile = 0;  // the name of every file; locks have other names
  static constexpr std::size_t kNone = ~std::size_t{0};

  struct Edge {
    std::uint32_t held = 0;
    std::uint32_t wanted = 0;
    model::Does has = model::Does::takes;
    model::Does wants = model::Does::takes;
  };

  /// The operation holds one lock and takes another. `alone`: the locks that it holds and that nobody else can hold at
  /// the same time. `what`: a hash of everything it holds.
  void learn(const Edge& edge, std::uint32_t who, std::span<const std::uint32_t> alone, std::uint64_t what);
  /// Finds the rings that have an edge which was new or had a new operation since the last search.
  void search();

  std::size_t size() const { return rings_.size(); }
  /// The ring tried least often, the shortest and then the oldest of several; kNone: all are closed or given up.
  std::size_t next() const;
  /// The lock that who wants `wanted` holds in the ring that is aimed at; `kNothing`: that is not in the ring.
  static constexpr std::uint32_t kNothing = ~0u;
  void aim_at(std::size_t ring);
  std::uint32_t held_by_who_wants(std::uint32_t wanted) const {
    return wanted < aim_.size() ? aim_[wanted] - 1 : kNothing;
  }
  void tried(std::size_t ring) { ++rings_[ring].tries; }
  void closed(std::size_t ring) { rings_[ring].closed = true; }

 private:
  static constexpr std::uint32_t kWhoMax = 8;
  static constexpr std::uint32_t kTries = 3;
  static constexpr std::array<std::uint32_t, 5> kLengths = {2, 3, 4, 8, 1024};
  static constexpr std::uint32_t kLooksMax = 100'000;
  static constexpr std::size_t kEdgesMax = 1u << 16;
  static constexpr std::size_t kRingsMax = 4096;

  /// An edge with the other locks that are held there.
  struct Known : Edge {
    std::array<std::uint32_t, kWhoMax> who{};
    std::uint32_t who_count = 0;
    std::uint32_t first_alone = 0;  // index in alone_
    std::uint32_t alone_count = 0;
    std::uint32_t next = 0;  // index + 1 of another edge from the same lock
    bool is_new = false;
  };
  struct Ring {
    std::uint32_t first = 0;  // index in members_
    std::uint32_t size = 0;
    std::uint32_t tries = 0;
    bool closed = false;
  };

  static bool waits_for(const Edge& one, const Edge& other);
  void add(const Edge& edge, std::span<const std::uint32_t> alone);
  void seek(std::uint32_t edge, std::uint32_t length);
  bool extend();
  bool join(std::uint32_t edge);
  void leave();
  void mark(std::uint32_t edge, bool on);
  void close();
  void keep_ring();
  bool have_different_operations();
  bool find_operation(std::uint32_t member);
  template <typename T>
  static T& at(CommonVector<T>& all, std::uint32_t which) {
    if (all.size() <= which) all.resize(which + 1);
    return all[which];
  }

  Interned edge_names_;
  Interned ring_names_;
  CommonVector<Known> edges_;
  CommonVector<std::uint32_t> alone_;
  CommonVector<std::uint32_t> from_;  // indexed by lock: index + 1 of the newest edge from there
  CommonVector<std::uint32_t> new_;   // indices of edges
  CommonVector<Ring> rings_;
  CommonVector<std::uint32_t> members_;  // indices of edges
  CommonVector<std::uint32_t> aim_;      // indexed by the lock wanted: the lock held + 1; 0: not in the ring

  // The search.
  struct Branch {
    std::uint32_t edge = 0;
    std::uint32_t next = 0;  // index + 1 of the edge to look at next
  };
  CommonVector<Branch> path_;
  CommonVector<std::uint8_t> is_passed_;      // indexed by lock: an edge of the path leads from there
  CommonVector<std::uint8_t> is_held_;        // indexed by lock: an edge of the path holds it alone
  CommonVector<std::uint8_t> is_taken_;       // indexed by operation: it is the only one that has an edge of the path
  CommonVector<std::uint32_t> member_of_;     // indexed by operation: the edge in the path + 1
  CommonVector<std::uint32_t> looked_at_in_;  // indexed by operation: the round of the matching
  std::uint32_t round_ = 0;
  std::uint32_t length_ = 0;
  std::uint32_t looks_ = 0;
};

}  // namespace heddle::strategy
