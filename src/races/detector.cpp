#include "races/detector.hpp"

#include <algorithm>
#include <bit>

namespace heddle::races {
namespace {

constexpr std::size_t kBlockMost = 64u << 10;  // this much of an allocated or freed block is watched

constexpr std::uint8_t kWholeCell = 0xff;

/// Which bytes of the granule lie in the range.
std::uint8_t bytes_of(std::uintptr_t granule, std::uintptr_t begin, std::uintptr_t end) {
  const std::uintptr_t from = std::max(begin, granule);
  const std::uintptr_t to = std::min(end, granule + Shadow::kGranule);
  return static_cast<std::uint8_t>(((1u << (to - from)) - 1) << (from - granule));
}

/// If several accesses of one operation race with another's, the first in this order is reported.
unsigned rank(AccessKind kind) {
  if (!is_atomic(kind)) return writes(kind) ? 0 : 2;
  return writes(kind) ? 1 : 3;
}

bool is_plain(AccessKind kind) { return kind == AccessKind::read || kind == AccessKind::write; }

bool are_in_conflict(AccessKind a, AccessKind b) { return (writes(a) || writes(b)) && !(is_atomic(a) && is_atomic(b)); }

/// Does every access that conflicts with `weak` also conflict with `strong`?
bool is_as_strong(AccessKind strong, AccessKind weak) {
  return (writes(strong) || !writes(weak)) && (!is_atomic(strong) || is_atomic(weak));
}

}  // namespace

void Detector::Kept::add(const Entry& entry) {
  if (count < kMost) entries[count++] = entry;  // dropping the rest can only hide a race
}

void Detector::begin(bool clocks_began_anew, bool names_exactly) {
  names_exactly_ = names_exactly;
  entries_.clear();
  rolls_.begin();
  unused_ = 0;
  has_freed_ = false;
  if (clocks_began_anew) shadow_.clear_all();
}

bool Detector::access_quickly(const Access& access, std::uintptr_t address, std::size_t bytes) {
  const std::uintptr_t offset = address % Shadow::kGranule;
  if (offset + bytes > Shadow::kGranule) return false;
  Cell& cell = shadow_.at(address);
  const auto mask = static_cast<std::uint8_t>(((1u << bytes) - 1) << offset);
  const Epoch now = order_.now(access.who);
  if (cell.state == CellState::allocated && is_plain(access.kind) && is_over(cell, access.who))
    cell = {};  // the access takes its place at once: a cell that stays blank would be filled in again
  if (cell.state == CellState::simple) return update_simple(cell, access, now, mask);
  return update_many(cell, access, now, mask);
}

Conflict Detector::access(const Access& access, std::uintptr_t address, std::size_t bytes) {
  Conflict conflict;
  conflict.later = access;
  conflict.bytes = static_cast<std::uint32_t>(bytes);
  const std::uintptr_t end = address + bytes;
  for (std::uintptr_t at = address; at < end;) {
    const std::uintptr_t granule = at & ~(Shadow::kGranule - 1);
    access_cell(access, granule, bytes_of(granule, address, end), conflict);
    at = granule + Shadow::kGranule;
  }
  for (const Epoch write : seen_) order_.read_from(access.who, write);  // reading from them advances its clock
  seen_.clear();
  return conflict;
}

Conflict Detector::free(const Access& access, std::uintptr_t address, std::size_t bytes) {
  has_freed_ = true;
  const std::uintptr_t end = address + std::min(bytes, kBlockMost);
  Conflict conflict;
  conflict.later = access;
  conflict.bytes = static_cast<std::uint32_t>(end - address);
  const Shadow::Whole freed{order_.now(access.who), access.site, CellState::freed};
  const auto free_cell = [&](std::uintptr_t granule) {
    Cell& cell = shadow_.at(granule);
    if (cell.state != CellState::allocated || !is_over(cell, access.who)) {
      access_cell(access, granule, bytes_of(granule, address, end), conflict);
      release(cell);
    }
    cell = freed.cell();
  };
  shadow_.walk(address, end, free_cell, [&](const Shadow::Chunks& chunks) {
    free_chunks(access, chunks, conflict);
    chunks.become(freed);
  });
  return conflict;
}

/// The chunks count as written. Of those whose cells are blank and stand for the same, the first tells for all.
void Detector::free_chunks(const Access& access, const Shadow::Chunks& chunks, Conflict& conflict) {
  const auto free_cell = [&](std::uintptr_t granule) {
    access_cell(access, granule, kWholeCell, conflict);
    release(shadow_.at(granule));
  };
  if (chunks.are_one()) {
    const Cell all = chunks.whole().cell();
    if (all.state == CellState::freed || (all.state == CellState::allocated && !is_over(all, access.who)))
      free_cell(chunks.begin());
    return;
  }
  for (std::size_t i = 0; i < chunks.size(); ++i) {
    const Shadow::Chunks one = chunks.nth(i);
    if (!one.are_touched()) {
      free_chunks(access, one, conflict);
      continue;
    }
    for (std::uintptr_t at = one.begin(); at < one.begin() + Shadow::kChunk; at += Shadow::kGranule) free_cell(at);
  }
}

Conflict Detector::use_of_freed(const Access& access, std::uintptr_t address, std::size_t bytes) const {
  if (!has_freed_) return {};
  const std::uintptr_t end = address + bytes;
  for (std::uintptr_t at = address; at < end; at = (at | (Shadow::kGranule - 1)) + 1) {
    const Cell cell = shadow_.look(at);
    if (cell.state != CellState::freed || is_stale(cell.write.now)) continue;
    return {Conflict::Kind::freed,
            at,
            static_cast<std::uint32_t>(bytes),
            {operation_of(cell.write.now), AccessKind::free, cell.write.site},
            access};
  }
  return {};
}

void Detector::allocate(const Access& access, std::uintptr_t address, std::size_t bytes) {
  if (order_.is_alone()) return forget(address, bytes);  // every operation created later knows of the block
  const std::size_t watched = std::min(bytes, kBlockMost);
  if (watched < bytes) forget(address + watched, bytes - watched);
  const Shadow::Whole allocated{order_.now(access.who), access.site, CellState::allocated};
  shadow_.walk(
      address, address + watched, [&](std::uintptr_t granule) { shadow_.at(granule) = allocated.cell(); },
      [&](const Shadow::Chunks& chunks) { chunks.become(allocated); });
}

/// Selects which of the racing entries to report. The lowest byte touched decides first, then the most recent access;
/// within one operation, the worst kind. The result does not depend on which accesses are merged.
const Detector::Entry* Detector::told(const Kept& kept, const Access& access, std::uint8_t mask) const {
  const auto first_byte = [mask](const Entry& entry) { return std::countr_zero<unsigned>(entry.mask & mask); };
  const Entry* best = nullptr;
  for (std::uint32_t i = kept.count; i-- > 0;) {
    const Entry& entry = kept.entries[i];
    if ((entry.mask & mask) == 0 || !are_in_conflict(entry.kind, access.kind) || is_before(entry.when, access.who))
      continue;
    const bool is_better =
        best == nullptr || first_byte(entry) < first_byte(*best) ||
        (first_byte(entry) == first_byte(*best) && operation_of(entry.when) == operation_of(best->when) &&
         rank(entry.kind) < rank(best->kind));
    if (is_better) best = &entry;
  }
  return best;
}

void Detector::access_cell(const Access& access, std::uintptr_t granule, std::uint8_t mask, Conflict& conflict) {
  Cell& cell = shadow_.at(granule);
  const Epoch now = order_.now(access.who);
  const auto found = [&](Conflict::Kind kind, Epoch when, AccessKind what, std::uint32_t site, unsigned theirs) {
    if (conflict.kind != Conflict::Kind::none) return;
    conflict.kind = kind;
    conflict.address = granule + static_cast<unsigned>(std::countr_zero(theirs & mask));
    conflict.earlier = {operation_of(when), what, site};
    conflict.when = when;
  };
  if (cell.state == CellState::freed) {
    if (!is_stale(cell.write.now)) {
      found(Conflict::Kind::freed, cell.write.now, AccessKind::free, cell.write.site, mask);
      return;  // it stays freed
    }
    cell = {};
  }
  if (cell.state == CellState::allocated) {
    if (!is_over(cell, access.who))
      found(Conflict::Kind::race, cell.write.now, AccessKind::allocate, cell.write.site, mask);
    cell = {};
  }

  if (cell.state == CellState::simple ? update_simple(cell, access, now, mask) : update_many(cell, access, now, mask))
    return;

  Kept kept;
  load(cell, access, kept);
  const Entry* const racing = told(kept, access, mask);
  if (racing != nullptr) found(Conflict::Kind::race, racing->when, racing->kind, racing->site, racing->mask);
  if (access.kind == AccessKind::read) {
    unsigned unseen = mask;
    for (std::uint32_t i = kept.count; i-- > 0 && unseen != 0;) {
      const Entry& entry = kept.entries[i];
      if (!writes(entry.kind) || (entry.mask & unseen) == 0) continue;
      unseen &= ~static_cast<unsigned>(entry.mask);
      seen_.push_back(entry.when);
    }
  }

  std::uint32_t mine = kept.count;  // from this index on, no other operation's access came in between
  while (mine > 0 && operation_of(kept.entries[mine - 1].when) == access.who) --mine;
  Kept left;
  std::uint8_t whole = mask;
  for (std::uint32_t i = 0; i < kept.count; ++i) {
    Entry entry = kept.entries[i];
    if (i >= mine && is_one_with(entry, access, now, mask)) {
      whole |= entry.mask;  // one entry represents both
      continue;
    }
    if (is_before(entry.when, access.who) && is_as_strong(access.kind, entry.kind)) entry.mask &= ~mask;
    if (entry.mask != 0) left.add(entry);
  }
  left.add({now, access.site, 0, whole, access.kind});
  store(cell, left, racing == nullptr);
}

namespace {

/// Adds an access at this moment, by the operation that made the others. False: there would be three moments.
bool add(Accesses& all, std::uint8_t& mask_now, std::uint8_t& mask_before, Epoch now, std::uint8_t mask) {
  const auto older = static_cast<std::uint8_t>(mask_before & ~mask);
  if (all.now != now) {
    const auto left = static_cast<std::uint8_t>(mask_now & ~mask);
    if (left != 0 && older != 0) return false;
    if (left != 0) all.before = all.now;
    mask_before = left != 0 ? left : older;
    all.now = now;
    mask_now = mask;
    return true;
  }
  mask_before = older;
  mask_now |= mask;
  return true;
}

}  // namespace

/// Most cells belong to one operation, or are used by one operation after another has finished with them.
bool Detector::update_simple(Cell& cell, const Access& access, Epoch now, std::uint8_t mask) const {
  if (!is_plain(access.kind)) return false;
  if (is_stale(cell.read.now)) cell.read_mask = cell.read_mask_before = 0;
  if (is_stale(cell.write.now)) cell.write_mask = cell.write_mask_before = 0;
  const auto reads = static_cast<std::uint8_t>(cell.read_mask | cell.read_mask_before);
  const auto writes = static_cast<std::uint8_t>(cell.write_mask | cell.write_mask_before);
  const auto may_go = [&](const Accesses& theirs, std::uint8_t all) {  // another operation's accesses may go if all of
                                                                       // them happened before
    return all == 0 || theirs.by() == access.who || ((all & ~mask) == 0 && order_.is_before(theirs.now, access.who));
  };
  if (!may_go(cell.read, reads)) return false;
  if (access.kind == AccessKind::read) {
    if (writes != 0 && !is_before(cell.write.now, access.who)) return false;
    if (keeps_apart(cell.read, reads & static_cast<std::uint8_t>(~mask), access)) return false;
    if (reads == 0 || cell.read.by() != access.who) {
      cell.read.now = now;
      cell.read_mask = mask;
      cell.read_mask_before = 0;
    } else if (!add(cell.read, cell.read_mask, cell.read_mask_before, now, mask)) {
      return false;
    }
    cell.read.site = access.site;
    return true;
  }
  if (!may_go(cell.write, writes)) return false;
  if (keeps_apart(cell.write, writes & static_cast<std::uint8_t>(~mask), access)) return false;
  const bool others_read = (reads & ~mask) != 0;
  if (others_read && writes != 0 && cell.write.by() != access.who) return false;
  if (writes == 0 || cell.write.by() != access.who) {
    cell.write.now = now;
    cell.write_mask = mask;
    cell.write_mask_before = 0;
  } else if (!add(cell.write, cell.write_mask, cell.write_mask_before, now, mask)) {
    return false;
  }
  cell.write.site = access.site;
  cell.read_mask &= static_cast<std::uint8_t>(~mask);
  cell.read_mask_before &= static_cast<std::uint8_t>(~mask);
  return true;
}

/// Changes the list in place where nothing conflicts with the access. False: something does.
bool Detector::update_list(Cell& cell, const Access& access, Epoch now, std::uint8_t mask) {
  if (cell.state != CellState::listed || is_stale(cell.read.now)) return false;
  if (Entry& first = entries_[cell.write.now - 1]; first.next == 0 && first.kind == access.kind && first.mask == mask &&
                                                   is_before(first.when, access.who)) {  // the new access simply
                                                                                         // replaces it
    first.when = now;
    first.site = access.site;
    cell.read.now = now;
    return true;
  }
  bool others_since = false;  // has another operation accessed it since the last access of this moment?
  for (std::uint32_t at = cell.write.now; at != 0; at = entries_[at - 1].next) {
    const Entry& entry = entries_[at - 1];
    if ((entry.mask & mask) != 0 && are_in_conflict(entry.kind, access.kind) && !is_before(entry.when, access.who))
      return false;
    if (entry.when == now && entry.kind == access.kind)
      others_since = false;
    else if (operation_of(entry.when) != access.who)
      others_since = true;
  }
  bool is_there = false;
  std::uint32_t left = 0;
  std::uint32_t last = 0;
  OperationId highest = access.who;
  for (std::uint32_t at = cell.write.now; at != 0;) {
    Entry& entry = entries_[at - 1];
    const std::uint32_t next = entry.next;
    if (is_one_with(entry, access, now, mask) && !others_since && !is_there) {
      entry.mask |= mask;
      entry.site = access.site;
      is_there = true;
    } else if (is_as_strong(access.kind, entry.kind) && is_before(entry.when, access.who)) {
      entry.mask &= static_cast<std::uint8_t>(~mask);
    }
    if (entry.mask == 0) {
      (last != 0 ? entries_[last - 1].next : cell.write.now) = next;
      entry.next = unused_;
      unused_ = at;
    } else {
      ++left;
      last = at;
      highest = std::max(highest, operation_of(entry.when));
    }
    at = next;
  }
  if (!is_there) {
    const std::uint32_t at = take_entry();
    entries_[at - 1] = {now, access.site, 0, mask, access.kind};
    (last != 0 ? entries_[last - 1].next : cell.write.now) = at;
    ++left;
  }
  cell.read.now = now;
  if (left <= 2 && !is_atomic(access.kind)) {
    Kept kept;
    load(cell, access, kept);
    if (fits_in_cell(kept, true)) store(cell, kept, true);
  } else if (Rolls::is_worth(left, highest) && Rolls::has(access.kind)) [[unlikely]] {
    roll_up(cell, highest);
  }
  return true;
}

/// The same for a roll.
bool Detector::update_roll(Cell& cell, const Access& access, Epoch now, std::uint8_t mask) {
  if (is_stale(cell.read.now)) return false;
  if (!Rolls::has(access.kind)) {
    unroll(cell);
    return update_list(cell, access, now, mask);
  }
  const std::uint32_t number = cell.write.now;
  Rolls::Roll& roll = rolls_[number];
  if (races_in_roll(roll, access, mask)) return false;
  bool is_there = false;
  for (std::uint32_t at = rolls_.latest(roll, access.who); at != 0;) {
    Rolls::Entry& entry = rolls_.entry(at);
    const std::uint32_t earlier = entry.earlier;
    if (!is_there && entry.order >= roll.run_began && is_one_with(entry, access, now, mask)) {
      entry.mask |= mask;
      entry.site = access.site;
      is_there = true;
    } else if (is_as_strong(access.kind, entry.kind)) {
      give_way(roll, at, mask);
    }
    at = earlier;
  }
  if (access.kind == AccessKind::write)  // stronger than all, and all happened before it
    for (const std::uint32_t first : roll.first)
      for (std::uint32_t at = first; at != 0;) {
        const Rolls::Entry& entry = rolls_.entry(at);
        const std::uint32_t next = entry.next;
        if (operation_of(entry.when) != access.who && is_before(entry.when, access.who)) give_way(roll, at, mask);
        at = next;
      }
  if (!is_there) rolls_.append(number, now, access.site, mask, access.kind);
  cell.read.now = now;
  if (Rolls::is_few(rolls_[number])) unroll(cell);
  return true;
}

bool Detector::races_in_roll(const Rolls::Roll& roll, const Access& access, std::uint8_t mask) {
  for (std::size_t kind = 0; kind < Rolls::kKinds; ++kind) {
    if (roll.first[kind] == 0 || !are_in_conflict(static_cast<AccessKind>(kind), access.kind)) continue;
    for (std::uint32_t at = roll.first[kind]; at != 0; at = rolls_.entry(at).next) {
      const Rolls::Entry& entry = rolls_.entry(at);
      if ((entry.mask & mask) != 0 && !is_before(entry.when, access.who)) return true;
    }
  }
  return false;
}

/// A later access stands for these bytes of it.
void Detector::give_way(Rolls::Roll& roll, std::uint32_t at, std::uint8_t mask) {
  Rolls::Entry& entry = rolls_.entry(at);
  entry.mask &= static_cast<std::uint8_t>(~mask);
  if (entry.mask == 0) rolls_.remove(roll, at);
}

void Detector::roll_up(Cell& cell, OperationId highest) {
  const std::uint32_t number = rolls_.make(highest);
  for (std::uint32_t at = cell.write.now; at != 0; at = entries_[at - 1].next) {
    const Entry& entry = entries_[at - 1];
    rolls_.append(number, entry.when, entry.site, entry.mask, entry.kind);
  }
  release(cell);
  cell.write.now = number;
  cell.state = CellState::rolled;
}

void Detector::unroll(Cell& cell) {
  std::uint32_t first = 0;
  std::uint32_t last = 0;
  rolls_.for_each(rolls_[cell.write.now], [&](const Rolls::Entry& entry) {
    const std::uint32_t at = take_entry();
    entries_[at - 1] = {entry.when, entry.site, 0, entry.mask, entry.kind};
    (last != 0 ? entries_[last - 1].next : first) = at;
    last = at;
  });
  release(cell);
  cell.write.now = first;
  cell.state = CellState::listed;
}

void Detector::load(Cell& cell, const Access& access, Kept& kept) {
  if (cell.state == CellState::listed || cell.state == CellState::rolled) {
    if (is_stale(cell.read.now)) {
      cell = {};
      return;
    }
    if (cell.state == CellState::rolled) {  // of too many, those that can matter now
      const bool all = rolls_[cell.write.now].size < Kept::kMost;
      rolls_.for_each(rolls_[cell.write.now], [&](const Rolls::Entry& entry) {
        if (all || (are_in_conflict(entry.kind, access.kind) && !is_before(entry.when, access.who)))
          kept.add({entry.when, entry.site, 0, entry.mask, entry.kind});
      });
      return;
    }
    for (std::uint32_t at = cell.write.now; at != 0; at = entries_[at - 1].next) kept.add(entries_[at - 1]);
    return;
  }
  const auto keep = [&](Epoch when, const Accesses& all, std::uint8_t mask, AccessKind kind) {
    if (mask != 0 && !is_stale(when)) kept.add({when, all.site, 0, mask, kind});
  };
  keep(cell.write.before, cell.write, cell.write_mask_before, AccessKind::write);
  keep(cell.write.now, cell.write, cell.write_mask, AccessKind::write);
  keep(cell.read.before, cell.read, cell.read_mask_before, AccessKind::read);
  keep(cell.read.now, cell.read, cell.read_mask, AccessKind::read);
}

/// One plain access; or a write and a later read; or a write and a read by one operation at one moment.
bool Detector::fits_in_cell(const Kept& kept, bool is_ordered) const {
  const Entry& first = kept.entries[0];
  const Entry& last = kept.entries[kept.count - 1];
  if (kept.count > 2 || !is_plain(first.kind) || !is_plain(last.kind)) return false;
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
      (is_write ? cell.write : cell.read) = {entry.when, 0, entry.site};
      (is_write ? cell.write_mask : cell.read_mask) = entry.mask;
    }
    return;
  }
  std::uint32_t next = 0;
  for (std::uint32_t i = kept.count; i-- > 0;) {
    const std::uint32_t at = take_entry();
    entries_[at - 1] = kept.entries[i];
    entries_[at - 1].next = next;
    next = at;
  }
  cell = {};
  cell.write.now = next;
  cell.read.now = kept.entries[kept.count - 1].when;
  cell.state = CellState::listed;
}

/// Returns the index + 1.
std::uint32_t Detector::take_entry() {
  const std::uint32_t at = unused_;
  if (at != 0) {
    unused_ = entries_[at - 1].next;
    return at;
  }
  entries_.append();
  return static_cast<std::uint32_t>(entries_.size());
}

/// Frees the cell's list or roll, if it has one, for reuse.
void Detector::release(Cell& cell) {
  if (cell.state != CellState::listed && cell.state != CellState::rolled) return;
  if (is_stale(cell.read.now)) return;
  if (cell.state == CellState::rolled) return rolls_.release(cell.write.now);
  std::uint32_t at = cell.write.now;
  while (at != 0) {
    const std::uint32_t next = entries_[at - 1].next;
    entries_[at - 1].next = unused_;
    unused_ = at;
    at = next;
  }
}

}  // namespace heddle::races
