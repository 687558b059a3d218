// Are two traces equal in every field?
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "trace/trace.hpp"

namespace heddle::testing {

inline void expect_same(const Place& a, const Place& b) {
  EXPECT_EQ(a.module, b.module);
  EXPECT_EQ(a.offset, b.offset);
  ASSERT_EQ(a.lines.size(), b.lines.size());
  for (std::size_t i = 0; i < a.lines.size(); ++i) {
    EXPECT_EQ(a.lines[i].function, b.lines[i].function);
    EXPECT_EQ(a.lines[i].file, b.lines[i].file);
    EXPECT_EQ(a.lines[i].line, b.lines[i].line);
  }
}

inline void expect_same(const TraceOperation& a, const TraceOperation& b) {
  EXPECT_EQ(a.parent, b.parent);
  EXPECT_EQ(a.name, b.name);
  EXPECT_EQ(a.ended, b.ended);
  EXPECT_EQ(a.stack, b.stack);
  EXPECT_EQ(a.next.kind, b.next.kind);
  EXPECT_EQ(a.next.resource, b.next.resource);
}

inline void expect_same(const TraceResource& a, const TraceResource& b) {
  EXPECT_EQ(a.kind, b.kind);
  EXPECT_EQ(a.name, b.name);
  EXPECT_EQ(a.holder, b.holder);
}

inline void expect_same(const TraceStep& a, const TraceStep& b) {
  EXPECT_EQ(a.operation, b.operation);
  EXPECT_EQ(a.kind, b.kind);
  EXPECT_EQ(a.resource, b.resource);
  EXPECT_EQ(a.is_choice, b.is_choice);
  EXPECT_EQ(a.preempts, b.preempts);
  EXPECT_EQ(a.value, b.value);
  EXPECT_EQ(a.bound, b.bound);
  EXPECT_EQ(a.stack, b.stack);
}

inline void expect_same(const TraceAccess& a, const TraceAccess& b) {
  EXPECT_EQ(a.operation, b.operation);
  EXPECT_EQ(a.what, b.what);
  EXPECT_EQ(a.bytes, b.bytes);
  EXPECT_EQ(a.stack, b.stack);
  EXPECT_EQ(a.locks, b.locks);
}

inline void expect_same(const TraceHeader& a, const TraceHeader& b) {
  EXPECT_EQ(a.program, b.program);
  EXPECT_EQ(a.arguments, b.arguments);
  EXPECT_EQ(a.directory, b.directory);
  EXPECT_EQ(a.build_id, b.build_id);
  EXPECT_EQ(a.exploration, b.exploration);
  EXPECT_EQ(a.strategy, b.strategy);
  EXPECT_EQ(a.seed, b.seed);
  EXPECT_EQ(a.execution, b.execution);
  EXPECT_EQ(a.options, b.options);
}

template <typename Item>
void expect_same_items(const std::vector<Item>& a, const std::vector<Item>& b, const std::string& what) {
  ASSERT_EQ(a.size(), b.size()) << what;
  for (std::size_t i = 0; i < a.size(); ++i) {
    SCOPED_TRACE(what + " " + std::to_string(i));
    expect_same(a[i], b[i]);
  }
}

inline void expect_same(const Trace& a, const Trace& b) {
  expect_same(a.header, b.header);
  expect_same_items(a.places, b.places, "place");
  expect_same_items(a.operations, b.operations, "operation");
  expect_same_items(a.resources, b.resources, "resource");
  expect_same_items(a.steps, b.steps, "step");
  expect_same_items(a.accesses, b.accesses, "access");
  EXPECT_TRUE(a.notes == b.notes);
  EXPECT_TRUE(same_failure(a.verdict, b.verdict)) << a.verdict.text() << "\n" << b.verdict.text();
  EXPECT_EQ(a.verdict.mention, b.verdict.mention);
}

}  // namespace heddle::testing
