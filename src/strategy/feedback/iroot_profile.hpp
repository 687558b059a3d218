// Predicts which iRoots might happen, from the accesses of executions in which they did not.
//
// It keeps the accesses, one for each operation, place and resource, and for each operation the pairs of accesses that
// belong together (dependencies.hpp). If two operations access one resource and at least one of them changes it, both
// orders are predicted, unless creating and joining operations puts every instance of one before every instance of the
// other. Pairs of two operations are combined by the idioms, unless a lock that is held throughout excludes the other
// operation.
//
// iRoots are about places, so of the operations that access one resource at one place the first 16 stand for all. At
// most 65,536 accesses and 65,536 pairs are kept, the first that were seen. For one resource, the 256 newest of each
// are compared. Only the first 64 locks seen can rule anything out. An execution that is not profiled costs nothing
// here.
#pragma once

#include <array>
#include <cstdint>

#include "base/page_vector.hpp"
#include "strategy/feedback/dependencies.hpp"
#include "strategy/feedback/fork_join.hpp"
#include "strategy/feedback/iroots.hpp"
#include "strategy/support/held_locks.hpp"
#include "strategy/support/names.hpp"

namespace heddle::strategy {

class IRootProfile {
 public:
  void begin();
  /// `who` takes a step.
  void step(const ScheduleView& view, OperationId who);
  /// … and the step is an access at this site to a resource of this name. `is_shared`: several operations use it.
  void access(const ScheduleView& view, OperationId who, IRoot::Site site, std::uint32_t resource, bool is_shared);
  void end(IRoots& roots);

 private:
  static constexpr std::uint32_t kMax = 1u << 16;  // of accesses, and of pairs
  static constexpr std::uint32_t kLookedAt = 256;  // compared for one resource
  static constexpr std::uint32_t kAlike = 16;      // operations at one place and resource
  static constexpr std::uint32_t kNone = ~0u;

  using LockSet = std::uint64_t;  // a bit for each of the first 64 locks

  struct Access {
    std::uint32_t who = 0;  // by name
    IRoot::Site site = IRoot::kNoSite;
    std::uint32_t resource = 0;  // by name
    model::Does does = model::Does::nothing;
    LockSet locks = ~LockSet{0};  // held, or taken by it, every time it happened
    std::uint32_t next = kNone;   // access to the same resource
    std::uint32_t execution = 0;  // the last execution with this access; `first` and `last` refer to it
    model::Epoch first = 0;
    model::Epoch last = 0;
  };
  struct Pair {
    std::uint32_t first = kNone;  // indices of accesses
    std::uint32_t second = kNone;
    LockSet locks = ~LockSet{0};  // held from the first to the second every time it happened
    std::uint32_t next = kNone;   // pair whose first access is to the same resource
  };
  struct Recent {
    std::uint32_t access = kNone;
    LockSet locks = 0;             // after the access
    std::uint32_t given_back = 0;  // its operation's count at the time
  };
  struct Operation {
    std::uint32_t accesses = 0;
    std::uint32_t given_back = 0;        // how often it released a lock, or may have
    std::array<Recent, kWindow> recent;  // a ring
  };
  struct Resource {
    std::uint32_t accesses = kNone;  // head of the list
    std::uint32_t pairs = kNone;
  };

  Operation& state(OperationId who);
  Resource& of(std::uint32_t resource);
  LockSet locks_of(const ScheduleView& view, OperationId who);
  LockSet bit(std::uint32_t lock);
  std::uint32_t note(const ScheduleView& view, OperationId who, IRoot::Site site, std::uint32_t resource,
                     LockSet locks);
  void note_pairs(Operation& mine, const Recent& now);
  bool has_enough_alike(IRoot::Site site, std::uint32_t resource);
  bool conflict(std::uint32_t a, std::uint32_t b) const;
  void predict_orders(std::uint32_t access, IRoots& roots);
  void predict_atomicity(const Pair& pair, IRoots& roots);
  void combine_with_all(const Pair& pair, std::uint32_t resource, IRoots& roots);
  void combine_pairs(const Pair& mine, const Pair& other, IRoots& roots);

  ForkJoin fork_join_;
  HeldLocks held_;
  OperationNames operation_names_;
  ResourceNames lock_names_;
  Interned access_names_;
  Interned alike_names_;               // of a site and a resource
  CommonVector<std::uint32_t> alike_;  // indexed by name: how many operations have an access there
  Interned pair_names_;
  CommonVector<Access> accesses_;
  CommonVector<Pair> pairs_;
  CommonVector<Resource> resources_;     // indexed by name
  CommonVector<Operation> operations_;   // indexed by operation
  CommonVector<std::uint32_t> touched_;  // accesses of this execution
  std::uint32_t execution_ = 0;
  std::uint32_t combined_ = 0;  // the number of pairs already combined
};

}  // namespace heddle::strategy
