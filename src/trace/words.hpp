// The names of things wherever a person reads about them: in trace files, differences and reports.
//
// Operations are T0, T1, … by id; T0 is main. Resources are named by their kind and the order in which the execution
// met them: m1 and m2 are mutexes, c1 is a condition. The end of an operation has the operation's name: `join T2`.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/ids.hpp"
#include "model/event.hpp"
#include "model/resource.hpp"
#include "trace/trace.hpp"

namespace heddle {

std::string operation_name(OperationId id);

/// Names everything in one trace. The trace must outlive this object and keep its resources.
class Words {
 public:
  explicit Words(const Trace& trace);

  /// `m2`, `T2`; every name is unique. Empty for kNoResource.
  std::string_view resource(ResourceId id) const;
  /// `m2 (queue_lock)`.
  std::string resource_in_full(ResourceId id) const;
  /// `lock m2`, `join T2`, `yield`.
  std::string event(model::EventKind kind, ResourceId resource) const;
  /// `lock m2 (queue_lock)`.
  std::string event_in_full(model::EventKind kind, ResourceId resource) const;
  /// `T3 lock m2 at queue.cpp:40`.
  std::string step(const TraceStep& step) const;

 private:
  const Trace& trace_;
  std::vector<std::string> resources_;  // indexed by resource
};

}  // namespace heddle
