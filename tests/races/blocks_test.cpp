// Blocks that are allocated and freed: what the shadow memory notes of whole chunks against what it notes of cells.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <random>

#include "model/happens_before.hpp"
#include "races/detector.hpp"

namespace heddle::races {
namespace {

using model::HappensBefore;

constexpr std::uint32_t kOperations = 4;
constexpr std::uint32_t kSyncs = 3;

/// Blocks, of which a detector is told as a whole or eight bytes at a time.
class Blocks {
 public:
  Blocks(bool as_pieces, bool names_exactly) : step_(as_pieces ? 8 : 1u << 30), names_exactly_(names_exactly) {
    detector_.open();
  }

  void begin() {
    detector_.begin(order_.begin(), names_exactly_);
    order_.add(OperationId{0}, kNoOperation);
    for (std::uint32_t id = 1; id < kOperations; ++id) order_.add(OperationId{id}, OperationId{0});
  }

  Conflict allocate(const Access& access, std::uintptr_t at, std::size_t bytes) {
    in_steps(at, bytes, [&](std::uintptr_t piece, std::size_t size) {
      detector_.allocate(access, piece, size);
      return Conflict{};
    });
    return {};
  }
  Conflict free(const Access& access, std::uintptr_t at, std::size_t bytes) {
    return in_steps(at, bytes,
                    [&](std::uintptr_t piece, std::size_t size) { return detector_.free(access, piece, size); });
  }
  Conflict forget(std::uintptr_t at, std::size_t bytes) {
    return in_steps(at, bytes, [&](std::uintptr_t piece, std::size_t size) {
      detector_.forget(piece, size);
      return Conflict{};
    });
  }
  Conflict access(const Access& access, std::uintptr_t at, std::size_t bytes) {
    const Conflict used = detector_.use_of_freed(access, at, bytes);
    if (used.kind != Conflict::Kind::none) return used;
    if (detector_.access_quickly(access, at, bytes)) return {};
    return detector_.access(access, at, bytes);
  }
  void release(OperationId who, std::uint32_t sync) { order_.release(who, sync); }
  void acquire(OperationId who, std::uint32_t sync) { order_.acquire(who, sync); }

 private:
  template <typename Do>
  Conflict in_steps(std::uintptr_t at, std::size_t bytes, const Do& step) {
    Conflict first;
    for (const std::uintptr_t end = at + bytes; at < end;) {
      const std::size_t size = std::min(step_, end - at);
      const Conflict conflict = step(at, size);
      if (first.kind == Conflict::Kind::none) first = conflict;
      at += size;
    }
    return first;
  }

  const std::size_t step_;
  const bool names_exactly_;
  HappensBefore order_;
  Detector detector_{order_};
};

/// A block is told to whole chunks of the shadow memory, and to single cells at its ends. Told in pieces of eight bytes
/// it is told to cells alone, and every later access must find the same.
TEST(Detector, ABlockIsAsManyOfEightBytes) {
  constexpr std::uintptr_t kBase = 0x5000'003f'f800;  // 2 KB before the end of a region
  std::mt19937 random(7);
  const auto pick = [&](std::uint32_t bound) {
    return std::uniform_int_distribution<std::uint32_t>(0, bound - 1)(random);
  };
  static constexpr std::array kKinds = {AccessKind::read, AccessKind::write, AccessKind::atomic_read,
                                        AccessKind::atomic_write};
  for (const bool names_exactly : {false, true}) {
    Blocks whole(false, names_exactly);
    Blocks pieces(true, names_exactly);
    std::array<std::size_t, 3> found{};
    for (int execution = 0; execution < 600; ++execution) {
      whole.begin();
      pieces.begin();
      for (std::uint32_t step = 0; step < 200; ++step) {
        const OperationId who{pick(kOperations)};
        const std::uintptr_t block = kBase + 8 * pick(300);
        const std::size_t bytes = pick(2) == 0 ? 8 * (1 + pick(20)) : 8 * (1 + pick(250));
        const std::uint32_t sync = pick(kSyncs);
        Conflict one, other;
        switch (pick(8)) {
          case 0:
            whole.allocate({who, AccessKind::allocate, step}, block, bytes);
            pieces.allocate({who, AccessKind::allocate, step}, block, bytes);
            break;
          case 1:
            one = whole.free({who, AccessKind::free, step}, block, bytes);
            other = pieces.free({who, AccessKind::free, step}, block, bytes);
            break;
          case 2:
            if (pick(4) != 0) break;
            whole.forget(block, bytes);
            pieces.forget(block, bytes);
            break;
          case 3:
            whole.release(who, sync);
            pieces.release(who, sync);
            break;
          case 4:
            whole.acquire(who, sync);
            pieces.acquire(who, sync);
            break;
          default:
            const Access access{who, kKinds[pick(4)], step};
            const std::uintptr_t at = kBase + pick(4096);
            const std::size_t size = 1 + pick(8);
            one = whole.access(access, at, size);
            other = pieces.access(access, at, size);
        }
        ASSERT_EQ(one.kind, other.kind) << "execution " << execution << ", step " << step;
        ++found[static_cast<std::size_t>(one.kind)];
        if (one.kind == Conflict::Kind::none) continue;
        ASSERT_EQ(one.address, other.address);
        ASSERT_EQ(one.earlier.who, other.earlier.who);
        ASSERT_EQ(one.earlier.kind, other.earlier.kind);
        ASSERT_EQ(one.earlier.site, other.earlier.site);
      }
    }
    for (const std::size_t times : found) EXPECT_GT(times, 5000u) << "all endings are really met";
  }
}

}  // namespace
}  // namespace heddle::races
