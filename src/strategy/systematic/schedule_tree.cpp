#include "strategy/systematic/schedule_tree.hpp"

#include <algorithm>

namespace heddle::strategy {

ScheduleTree::Node ScheduleTree::take_entry() {
  ++live_nodes_;
  if (free_entry_ != kNone) {
    const Node node = free_entry_;
    free_entry_ = at(node).parent;
    return node;
  }
  entries_.push_back({});
  return Node{static_cast<std::uint32_t>(entries_.size() - 1)};
}

std::uint32_t ScheduleTree::take_block() {
  ++live_blocks_;
  if (free_block_ != kNoBlock) {
    const std::uint32_t block = free_block_;
    free_block_ = blocks_[block].next;
    return block;
  }
  blocks_.push_back({});
  return static_cast<std::uint32_t>(blocks_.size() - 1);
}

void ScheduleTree::free_blocks(std::uint32_t block) {
  while (block != kNoBlock) {
    const std::uint32_t next = blocks_[block].next;
    blocks_[block].next = free_block_;
    free_block_ = block;
    --live_blocks_;
    block = next;
  }
}

ScheduleTree::Node ScheduleTree::add(Node parent, std::uint32_t shared, std::span<const Step> steps) {
  const Node node = take_entry();
  if (parent != kNone) hold(parent);
  std::uint32_t first = kNoBlock;
  for (std::size_t end = steps.size(); end > 0;) {  // from the last block to the first, so that each can link to the
                                                    // next
    const std::size_t begin = (end - 1) / kBlockSteps * kBlockSteps;
    const std::uint32_t block = take_block();
    std::copy(steps.begin() + static_cast<std::ptrdiff_t>(begin), steps.begin() + static_cast<std::ptrdiff_t>(end),
              blocks_[block].steps);
    blocks_[block].next = first;
    first = block;
    end = begin;
  }
  at(node) = {parent, shared, static_cast<std::uint32_t>(steps.size()), first, 1};
  return node;
}

void ScheduleTree::release(Node node) {
  while (node != kNone && --at(node).holders == 0) {
    const Node parent = at(node).parent;
    free_blocks(at(node).block);
    at(node).parent = free_entry_;
    free_entry_ = node;
    --live_nodes_;
    node = parent;
  }
}

void ScheduleTree::read(Node node, std::uint32_t length, CommonVector<Step>& into) const {
  into.resize(length);
  while (length > 0) {
    const Entry& entry = at(node);
    std::uint32_t position = entry.shared;
    for (std::uint32_t block = entry.block; position < length; block = blocks_[block].next) {
      const std::uint32_t count = std::min(kBlockSteps, length - position);
      std::copy_n(blocks_[block].steps, count, into.begin() + position);
      position += count;
    }
    length = std::min(length, entry.shared);
    node = entry.parent;
  }
}

}  // namespace heddle::strategy
