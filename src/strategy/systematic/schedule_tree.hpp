// Schedules that share their beginnings.
//
// A systematic search keeps many prefixes of executions that it has seen. Each execution is kept once, as a node: the
// choices that it made after it left its parent. A prefix is then a node and a length. A node lives as long as it is
// held or has a living child. The memory comes in blocks that are reused; nothing is taken from the heap of the program
// under test.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/page_vector.hpp"
#include "trace/schedule.hpp"

namespace heddle::strategy {

class ScheduleTree {
 public:
  struct Step {
    Choice choice;
    std::uint32_t shape;  // identifies the alternatives of the choice: alternatives.hpp
  };
  enum class Node : std::uint32_t {};
  static constexpr Node kNone{0xffff'ffffu};

  /// Adds an execution that made the first `shared` choices of `parent` and then `steps`. The caller holds the node
  /// once.
  Node add(Node parent, std::uint32_t shared, std::span<const Step> steps);
  void hold(Node node) { ++at(node).holders; }
  void release(Node node);

  /// The first `length` choices of the node's execution.
  void read(Node node, std::uint32_t length, CommonVector<Step>& into) const;

  /// The memory of the nodes and blocks in use.
  std::size_t bytes() const { return live_nodes_ * sizeof(Entry) + live_blocks_ * sizeof(Block); }

 private:
  static constexpr std::uint32_t kNoBlock = 0xffff'ffffu;
  static constexpr std::uint32_t kBlockSteps = 15;  // 128 bytes with the link

  struct Block {
    Step steps[kBlockSteps];
    std::uint32_t next;
  };
  struct Entry {
    Node parent;            // of a free entry: the next free one
    std::uint32_t shared;   // number of choices from the parent
    std::uint32_t length;   // number of its own choices
    std::uint32_t block;    // the first block of its own choices
    std::uint32_t holders;  // explicit holds, plus one for each child
  };

  Entry& at(Node node) { return entries_[static_cast<std::uint32_t>(node)]; }
  const Entry& at(Node node) const { return entries_[static_cast<std::uint32_t>(node)]; }
  Node take_entry();
  std::uint32_t take_block();
  void free_blocks(std::uint32_t block);

  CommonVector<Entry> entries_;
  CommonVector<Block> blocks_;
  Node free_entry_ = kNone;
  std::uint32_t free_block_ = kNoBlock;
  std::size_t live_nodes_ = 0;
  std::size_t live_blocks_ = 0;
};

}  // namespace heddle::strategy
