#include "memory/detector.hpp"

#include <algorithm>
#include <bit>

namespace heddle::memory {
namespace {

constexpr std::size_t kFreedMost = 64u << 10;  // of a freed block, so much is watched

bool are_in_conflict(AccessKind a, AccessKind b) { return (writes(a) || writes(b)) && !(is_atomic(a) && is_atomic(b)); }

/// Whatever is in conflict with `weak` is in conflict with `strong`.
bool is_as_strong(AccessKind strong, AccessKind weak) {
  return (writes(strong) || !writes(weak)) && (!is_atomic(strong) || is_atomic(weak));
}

}  // namespace

void Detector::Kept::add(const Entry& entry) {
  if (count < kMost)
    entries[count++] = entry;
  else
    lost = true;
}

void Detector::begin(bool clocks_began_anew) {
  entries_.clear();
  unused_ = 0;
  if (clocks_began_anew) shadow_.clear_all();
}

Conflict Detector::access(const Access& access, std::uintptr_t address, std::size_t bytes) {
  Conflict conflict;
  conflict.later = access;
  conflict.bytes = static_cast<std::uint32_t>(bytes);
  const std::uintptr_t end = address + bytes;
  for (std::uintptr_t at = address; at < end;) {
    const std::uintptr_t granule = at & ~(Shadow::kGranule - 1);
    const std::uintptr_t next = std::min(end, granule + Shadow::kGranule);
    const unsigned mask = ((1u << (next - at)) - 1) << (at - granule);
    access_cell(access, granule, static_cast<std::uint8_t>(mask), conflict);
    at = next;
  }
  for (const Epoch write : seen_) order_.read_from(access.who, write);  // what it has learned makes it another moment
  seen_.clear();
  return conflict;
}

Conflict Detector::free(const Access& access, std::uintptr_t address, std::size_t bytes) {
  bytes = std::min(bytes, kFreedMost);
  Conflict conflict = this->access(access, address, bytes);
  const Epoch now = order_.now(access.who);
  for (std::uintptr_t at = address & ~(Shadow::kGranule - 1); at < address + bytes; at += Shadow::kGranule) {
    Cell& cell = shadow_.at(at);
    release(cell);
    cell = {now, 0, access.site, 0, 0, 0, CellState::freed};
  }
  return conflict;
}

void Detector::access_cell(const Access& access, std::uintptr_t granule, std::uint8_t mask, Conflict& conflict) {
  Cell& cell = shadow_.at(granule);
  const Epoch now = order_.now(access.who);
  const auto found = [&](Conflict::Kind kind, Epoch when, AccessKind what, std::uint32_t site, unsigned theirs) {
    if (conflict.kind != Conflict::Kind::none) return;
    conflict.kind = kind;
    conflict.address = granule + static_cast<unsigned>(std::countr_zero(theirs & mask));
    conflict.earlier_bytes = static_cast<std::uint32_t>(std::popcount(theirs));
    conflict.earlier = {operation_of(when), what, site};
  };
  if (cell.state == CellState::freed) {
    if (!is_stale(cell.write)) {
      found(Conflict::Kind::freed, cell.write, AccessKind::free, cell.write_site, mask);
      return;  // it stays freed
    }
    cell = {};
  }

  if (is_listed_as_known(cell, now, mask, access.kind)) return;

  Kept kept;
  load(cell, kept);
  bool is_ordered = true;
  for (std::uint32_t i = kept.count; i-- > 0;) {  // the latest first
    const Entry& entry = kept.entries[i];
    if ((entry.mask & mask) == 0 || !are_in_conflict(entry.kind, access.kind) || is_before(entry.when, access.who))
      continue;
    is_ordered = false;
    found(Conflict::Kind::race, entry.when, entry.kind, entry.site, entry.mask);
  }
  if (access.kind == AccessKind::read) {
    unsigned unseen = mask;
    for (std::uint32_t i = kept.count; i-- > 0 && unseen != 0;) {
      const Entry& entry = kept.entries[i];
      if (!writes(entry.kind) || (entry.mask & unseen) == 0) continue;
      unseen &= ~static_cast<unsigned>(entry.mask);
      seen_.push_back(entry.when);
    }
  }

  std::uint32_t mine = kept.count;  // from here on nobody else came between
  while (mine > 0 && operation_of(kept.entries[mine - 1].when) == access.who) --mine;
  Kept left;
  std::uint8_t whole = mask;
  for (std::uint32_t i = 0; i < kept.count; ++i) {
    Entry entry = kept.entries[i];
    if (i >= mine && entry.when == now && entry.kind == access.kind) {
      whole |= entry.mask;  // one entry for both
      continue;
    }
    if (is_before(entry.when, access.who) && is_as_strong(access.kind, entry.kind)) entry.mask &= ~mask;
    if (entry.mask != 0) left.add(entry);
  }
  left.add({now, access.site, 0, whole, access.kind});
  store(cell, left, is_ordered);
}

/// It was made in this moment already, and nothing that is in conflict with it has been made since.
bool Detector::is_listed_as_known(const Cell& cell, Epoch now, std::uint8_t mask, AccessKind kind) const {
  if (cell.state != CellState::listed || is_stale(cell.read)) return false;
  bool is_known = false;
  for (std::uint32_t at = cell.write; at != 0; at = entries_[at - 1].next) {
    const Entry& entry = entries_[at - 1];
    if (entry.when == now && entry.kind == kind)
      is_known = (entry.mask & mask) == mask;
    else if (is_known && (entry.mask & mask) != 0 && are_in_conflict(entry.kind, kind))
      return false;
  }
  return is_known;
}

void Detector::load(Cell& cell, Kept& kept) {
  if (cell.state == CellState::listed) {
    if (is_stale(cell.read)) {
      cell = {};
      return;
    }
    for (std::uint32_t at = cell.write; at != 0; at = entries_[at - 1].next) kept.add(entries_[at - 1]);
    return;
  }
  if (cell.write_mask != 0 && !is_stale(cell.write))
    kept.add({cell.write, cell.write_site, 0, cell.write_mask, AccessKind::write});
  if (cell.read_mask != 0 && !is_stale(cell.read))
    kept.add({cell.read, cell.read_site, 0, cell.read_mask, AccessKind::read});
}

/// One plain access, or a write and a read that comes after it, or both of one operation in one moment.
bool Detector::fits_in_cell(const Kept& kept, bool is_ordered) const {
  const auto is_plain = [](const Entry& entry) {
    return entry.kind == AccessKind::read || entry.kind == AccessKind::write;
  };
  const Entry& first = kept.entries[0];
  const Entry& last = kept.entries[kept.count - 1];
  if (kept.count > 2 || !is_plain(first) || !is_plain(last)) return false;
  if (kept.count == 1) return true;
  if (!is_ordered || first.kind == last.kind) return false;
  return first.when == last.when || (last.kind == AccessKind::read && is_before(first.when, operation_of(last.when)));
}

void Detector::store(Cell& cell, const Kept& kept, bool is_ordered) {
  release(cell);
  if (fits_in_cell(kept, is_ordered)) {
    cell = {};
    for (std::uint32_t i = 0; i < kept.count; ++i) {
      const Entry& entry = kept.entries[i];
      const bool is_write = entry.kind == AccessKind::write;
      (is_write ? cell.write : cell.read) = entry.when;
      (is_write ? cell.write_site : cell.read_site) = entry.site;
      (is_write ? cell.write_mask : cell.read_mask) = entry.mask;
    }
    return;
  }
  std::uint32_t next = 0;
  for (std::uint32_t i = kept.count; i-- > 0;) {
    std::uint32_t at = unused_;
    if (at != 0) {
      unused_ = entries_[at - 1].next;
    } else {
      entries_.append();
      at = static_cast<std::uint32_t>(entries_.size());
    }
    entries_[at - 1] = kept.entries[i];
    entries_[at - 1].next = next;
    next = at;
  }
  cell = {next, kept.entries[kept.count - 1].when, 0, 0, 0, 0, CellState::listed};
}

/// Its list, if it has one, can be used for another.
void Detector::release(Cell& cell) {
  if (cell.state != CellState::listed || is_stale(cell.read)) return;
  std::uint32_t at = cell.write;
  while (at != 0) {
    const std::uint32_t next = entries_[at - 1].next;
    entries_[at - 1].next = unused_;
    unused_ = at;
    at = next;
  }
}

}  // namespace heddle::memory
