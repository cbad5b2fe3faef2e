// SPDX-License-Identifier: GPL-2.0-or-later
// A growing array of plain values outside the heap: growth remaps pages and copies nothing.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <new>
#include <type_traits>
#include <utility>

namespace iomc::check {

template <class T>
class Region {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  explicit Region(std::size_t capacity) { map(capacity); }
  Region(const Region&) = delete;
  Region& operator=(const Region&) = delete;
  Region(Region&& o) noexcept : data_(std::exchange(o.data_, nullptr)), capacity_(std::exchange(o.capacity_, 0)) {}
  Region& operator=(Region&& o) noexcept {
    std::swap(data_, o.data_);
    std::swap(capacity_, o.capacity_);
    return *this;
  }
  ~Region() {
    if (data_ != nullptr) munmap(data_, capacity_ * sizeof(T));
  }

  T& operator[](std::size_t i) { return data_[i]; }
  const T& operator[](std::size_t i) const { return data_[i]; }
  std::size_t capacity() const { return capacity_; }

  /// At least `wanted` elements; new ones are zero.
  void reserve(std::size_t wanted) {
    if (wanted <= capacity_) return;
    std::size_t grown = capacity_;
    while (grown < wanted) grown *= 2;
    void* moved = mremap(data_, capacity_ * sizeof(T), grown * sizeof(T), MREMAP_MAYMOVE);
    if (moved == MAP_FAILED) throw std::bad_alloc();
    data_ = static_cast<T*>(moved);
    capacity_ = grown;
    advise();
  }

 private:
  void map(std::size_t capacity) {
    void* p =
        mmap(nullptr, capacity * sizeof(T), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (p == MAP_FAILED) throw std::bad_alloc();
    data_ = static_cast<T*>(p);
    capacity_ = capacity;
    advise();
  }
  void advise() {
    // Random access over more than a megabyte or two misses the TLB at every probe without huge pages.
    if (capacity_ * sizeof(T) >= (std::size_t{2} << 20)) madvise(data_, capacity_ * sizeof(T), MADV_HUGEPAGE);
  }

  T* data_ = nullptr;
  std::size_t capacity_ = 0;
};

}  // namespace iomc::check
