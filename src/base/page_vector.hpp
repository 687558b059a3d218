// A growable array whose memory comes from the kernel, never from the heap of the program under test.
//
// Growing moves the elements with mremap, so they must be trivially copyable. Clearing keeps the capacity: after the
// first executions no array here allocates any more.
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>
#include <span>
#include <type_traits>
#include <utility>

#include "base/raw.hpp"

namespace heddle {

enum class Pages : std::uint8_t {
  own,     // private to this process
  common,  // shared by all processes of an exploration: what a strategy learns in a forked execution must outlive it
};

template <typename T, Pages kPages = Pages::own>
class PageVector {
  static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);

 public:
  PageVector() = default;
  PageVector(const PageVector&) = delete;
  PageVector& operator=(const PageVector&) = delete;
  ~PageVector() {
    if (!data_) return;
    if constexpr (kPages == Pages::common)
      raw::common_pages.unmap(mapping(), bytes_);
    else
      raw::unmap_pages(mapping(), bytes_);
  }

  T* data() { return data_; }
  const T* data() const { return data_; }
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  T& operator[](std::size_t i) { return data_[i]; }
  const T& operator[](std::size_t i) const { return data_[i]; }
  T& back() { return data_[size_ - 1]; }
  T* begin() { return data_; }
  T* end() { return data_ + size_; }
  const T* begin() const { return data_; }
  const T* end() const { return data_ + size_; }
  std::span<const T> span() const { return {data_, size_}; }

  void swap(PageVector& other) {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    std::swap(capacity_, other.capacity_);
    std::swap(bytes_, other.bytes_);
    std::swap(offset_, other.offset_);
  }

  void clear() { size_ = 0; }
  void pop_back() { --size_; }
  /// Must be within the capacity. New elements keep whatever the memory holds.
  void set_size(std::size_t size) { size_ = size; }

  void push_back(const T& value) {
    const T copy = value;  // `value` may be an element of this array
    reserve(size_ + 1);
    data_[size_++] = copy;
  }

  /// Constructs a new last element in place. Building it elsewhere and copying it costs a store-buffer stall.
  template <typename... Arguments>
  T& append(const Arguments&... arguments) {
    reserve(size_ + 1);
    return *new (data_ + size_++) T(arguments...);
  }

  void insert(std::size_t at, T value) {
    push_back(value);
    for (std::size_t i = size_ - 1; i > at; --i) data_[i] = data_[i - 1];
    data_[at] = value;
  }

  void erase(std::size_t at) {
    for (std::size_t i = at + 1; i < size_; ++i) data_[i - 1] = data_[i];
    --size_;
  }

  void resize(std::size_t size) {
    reserve(size);
    for (std::size_t i = size_; i < size; ++i) data_[i] = T{};
    size_ = size;
  }

  void reserve(std::size_t wanted) {
    if (wanted > capacity_) [[unlikely]]
      grow(wanted);
  }

 private:
  static constexpr std::size_t kPage = 4096;

  [[gnu::noinline, gnu::cold]] void grow(std::size_t wanted) {
    std::size_t bytes = bytes_ ? bytes_ : kPage;
    while ((bytes - offset_) / sizeof(T) < wanted) bytes *= 2;
    void* pages;
    if constexpr (kPages == Pages::common)
      pages = data_ ? raw::common_pages.remap(mapping(), bytes_, bytes) : raw::common_pages.map(bytes);
    else
      pages = data_ ? raw::remap_pages(mapping(), bytes_, bytes) : raw::map_pages(bytes);
    data_ = reinterpret_cast<T*>(static_cast<char*>(pages) + offset_);
    bytes_ = bytes;
    capacity_ = (bytes - offset_) / sizeof(T);
  }
  char* mapping() const { return reinterpret_cast<char*>(data_) - offset_; }

  T* data_ = nullptr;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
  std::size_t bytes_ = 0;  // of the mapping
  std::size_t offset_ = raw::next_page_offset();
};

template <typename T>
using CommonVector = PageVector<T, Pages::common>;

}  // namespace heddle
