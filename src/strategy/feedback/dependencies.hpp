// Detects, step by step, which dependencies between operations an execution shows, and which two of them form one of
// Maple's idioms (iroots.hpp).
//
// Two accesses of one operation belong together if they are at most kWindow apart among its accesses to shared
// resources. Each resource keeps its last change and, for each place that has read it since, the reads there of the
// last four operations: what matters is the places, so that many operations that read at one place hide no other place.
// Each operation keeps the last four dependencies that ended in it. What does not fit is not seen.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "base/page_vector.hpp"
#include "strategy/feedback/iroots.hpp"
#include "strategy/strategy.hpp"

namespace heddle::strategy {

/// Two accesses belong together if one comes at most this many accesses after the other in the same operation.
inline constexpr std::uint32_t kWindow = 4;

class Dependencies {
 public:
  void begin() {
    resources_.clear();
    operations_.clear();
    readers_.clear();
  }

  /// `who` accesses, at this site, a resource that several operations use.
  void access(OperationId who, ResourceId resource, bool only_reads, IRoot::Site site, IRoots& roots) {
    if (operations_.size() <= index(who)) [[unlikely]]
      operations_.resize(index(who) + 1);
    if (resources_.size() <= index(resource)) [[unlikely]]
      resources_.resize(index(resource) + 1);
    const Access now{who, site, ++operations_[index(who)].accesses, resource};
    Resource& at = resources_[index(resource)];
    if (at.change.who != kNoOperation && at.change.who != who) depend(at.change, now, roots);
    if (only_reads) {
      note_reader(at, now);
      return;
    }
    for (std::uint32_t i = at.readers; i != 0; i = readers_[i - 1].next)
      for (const Access& read : readers_[i - 1].last)
        if (read.who != kNoOperation && read.who != who) depend(read, now, roots);
    at.change = now;
    at.readers = 0;
  }

 private:
  static constexpr std::size_t kAlike = 4;
  static constexpr std::size_t kRecent = 4;

  struct Access {
    OperationId who = kNoOperation;
    IRoot::Site site = IRoot::kNoSite;
    std::uint32_t at = 0;  // its index among the accesses of its operation
    ResourceId resource = kNoResource;
  };
  struct Resource {
    Access change;
    std::uint32_t readers = 0;  // index + 1 of the newest in readers_; 0: nobody has read it since that change
  };
  /// The reads of a resource at one site since it was changed.
  struct Readers {
    IRoot::Site site = IRoot::kNoSite;
    std::uint32_t next = 0;             // index + 1
    std::uint32_t count = 0;            // of reads that replaced none by the same operation
    std::array<Access, kAlike> last{};  // a ring
  };
  struct Dependency {
    Access from;
    Access to;
  };
  struct Operation {
    std::uint32_t accesses = 0;
    std::uint32_t dependencies = 0;
    std::array<Dependency, kRecent> recent;  // the last that ended here; a ring
  };

  void note_reader(Resource& at, const Access& now) {
    std::uint32_t i = at.readers;
    while (i != 0 && readers_[i - 1].site != now.site) i = readers_[i - 1].next;
    if (i == 0) {
      readers_.push_back({now.site, at.readers, 0, {}});
      i = at.readers = static_cast<std::uint32_t>(readers_.size());
    }
    Readers& alike = readers_[i - 1];
    for (Access& read : alike.last)
      if (read.who == now.who) {
        read = now;
        return;
      }
    alike.last[alike.count++ % kAlike] = now;
  }

  void depend(const Access& from, const Access& to, IRoots& roots) {
    roots.cover({1, from.site, to.site});
    const Operation& other = operations_[index(from.who)];
    for (std::uint32_t i = 0; i < kRecent && i < other.dependencies; ++i)
      if (other.recent[i].from.who == to.who) complete(other.recent[i], from, to, roots);
    Operation& mine = operations_[index(to.who)];
    mine.recent[mine.dependencies++ % kRecent] = {from, to};
  }

  /// first.from is a1, first.to is b1.
  static void complete(const Dependency& first, const Access& b2, const Access& a2, IRoots& roots) {
    const Access& b1 = first.to;
    const std::uint32_t apart = b1.at < b2.at ? b2.at - b1.at : b1.at - b2.at;
    if (a2.at - first.from.at > kWindow || apart > kWindow) return;
    const bool is_one_resource = b1.resource == b2.resource;
    if (is_one_resource && b2.at < b1.at) return;
    const std::uint32_t idiom = b1.at == b2.at ? 2 : is_one_resource ? 3 : b1.at < b2.at ? 4 : 5;
    roots.cover({idiom, first.from.site, b1.site, b2.site, a2.site});
  }

  CommonVector<Resource> resources_;    // indexed by resource
  CommonVector<Operation> operations_;  // indexed by operation
  CommonVector<Readers> readers_;       // of all resources
};

}  // namespace heddle::strategy
