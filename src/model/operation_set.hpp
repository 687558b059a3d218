// A set of many operations, as bits: one comes or goes by one bit, and a set joins or leaves another 64 at a time.
//
// For each word the set knows how many bits are set, so the nth operation is found without looking at the words before
// it. Who looks at all of them gets an array, which is made when it is asked for and kept until the set changes. So
// adding, removing and finding one costs a step through the counts at most, that is, one byte for 64 operations, and
// the array less than a nanosecond for each operation in it.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

#include "base/arch/x86_64/eight_numbers.hpp"
#include "base/ids.hpp"
#include "base/page_vector.hpp"

namespace heddle::model {

class OperationSet {
 public:
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  bool contains(OperationId id) const { return word_of(id) < words_.size() && (words_[word_of(id)] & bit_of(id)) != 0; }

  void clear() {
    words_.clear();
    counts_.clear();
    size_ = 0;
    change();
  }

  /// `id` must not be in the set.
  void insert(OperationId id) {
    grow(word_of(id) + 1);
    words_[word_of(id)] |= bit_of(id);
    ++counts_[word_of(id)];
    ++size_;
    change();
  }

  /// `id` must be in the set.
  void erase(OperationId id) {
    words_[word_of(id)] &= ~bit_of(id);
    --counts_[word_of(id)];
    --size_;
    change();
  }

  /// None of `others` is in the set.
  void insert_all(const OperationSet& others) {
    grow(others.words_.size());
    for (std::size_t i = 0; i < others.words_.size(); ++i) {
      words_[i] |= others.words_[i];
      counts_[i] = static_cast<std::uint8_t>(counts_[i] + others.counts_[i]);
    }
    size_ += others.size_;
    change();
  }

  /// All of `others` are in the set.
  void erase_all(const OperationSet& others) {
    for (std::size_t i = 0; i < others.words_.size(); ++i) {
      words_[i] &= ~others.words_[i];
      counts_[i] = static_cast<std::uint8_t>(counts_[i] - others.counts_[i]);
    }
    size_ -= others.size_;
    change();
  }

  /// Ascending from 0; i < size().
  [[gnu::noinline]] OperationId nth(std::size_t i) const {
    if (!is_listed_ && ++asked_ == kAskedOften) list();
    if (is_listed_) return list_[i];
    std::size_t word = 0;
    for (; i >= counts_[word]; ++word) i -= counts_[word];
    return id_of(word, nth_bit(words_[word], static_cast<unsigned>(i)));
  }

  /// The greatest; the set must not be empty.
  OperationId back() const {
    std::size_t word = words_.size() - 1;
    while (counts_[word] == 0) --word;
    return id_of(word, 63 - static_cast<unsigned>(std::countl_zero(words_[word])));
  }

  /// Ascending; valid until the set changes.
  std::span<const OperationId> span() const {
    if (!is_listed_) list();
    return list_.span();
  }

 private:
  static constexpr std::uint32_t kAskedOften = 8;  // the array costs about as much as so many single answers

  static std::size_t word_of(OperationId id) { return index(id) / 64; }
  static std::uint64_t bit_of(OperationId id) { return std::uint64_t{1} << index(id) % 64; }
  static OperationId id_of(std::size_t word, unsigned bit) {
    return OperationId{static_cast<std::uint32_t>(word * 64) + bit};
  }

  void change() {
    is_listed_ = false;
    asked_ = 0;
  }

  void grow(std::size_t words) {
    if (words <= words_.size()) return;
    words_.resize(words);
    counts_.resize(words);
  }

  /// The position of the nth bit that is set, after Vigna (Broadword implementation of rank/select queries, 2008): sums
  /// of the bytes' counts find its byte.
  static unsigned nth_bit(std::uint64_t word, unsigned n) {
    constexpr std::uint64_t kOnes = 0x0101'0101'0101'0101;
    constexpr std::uint64_t kHigh = 0x8080'8080'8080'8080;
    std::uint64_t sums = word - (word >> 1 & 0x5555'5555'5555'5555);
    sums = (sums & 0x3333'3333'3333'3333) + (sums >> 2 & 0x3333'3333'3333'3333);
    sums = ((sums + (sums >> 4)) & 0x0f0f'0f0f'0f0f'0f0f) * kOnes;  // byte k: how many are set in bytes 0 … k
    const std::uint64_t not_more = ((n * kOnes | kHigh) - sums) & kHigh;
    const auto at = static_cast<unsigned>((not_more >> 7) * kOnes >> 56) * 8;
    const auto before = static_cast<unsigned>((sums << 8) >> at & 0xff);
    return at + static_cast<unsigned>(kBitsOfBytes.positions[word >> at & 0xff] >> 8 * (n - before) & 0xff);
  }

  void list() const {
    list_.reserve(size_ + 8);  // write_positions writes eight
    OperationId* to = list_.data();
    for (std::size_t word = 0; word < words_.size(); ++word) {
      auto first = static_cast<std::uint32_t>(word * 64);
      for (std::uint64_t left = words_[word]; left != 0; left >>= 8, first += 8)
        to += write_positions(static_cast<std::uint8_t>(left), first, to);
    }
    list_.set_size(size_);
    is_listed_ = true;
  }

  PageVector<std::uint64_t> words_;
  PageVector<std::uint8_t> counts_;  // of the bits set in each word
  std::size_t size_ = 0;
  mutable PageVector<OperationId> list_;
  mutable std::uint32_t asked_ = 0;  // for single operations since the last change
  mutable bool is_listed_ = false;   // list_ holds what the set holds
};

}  // namespace heddle::model
