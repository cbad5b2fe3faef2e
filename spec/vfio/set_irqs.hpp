// SPDX-License-Identifier: GPL-2.0-or-later
// VFIO_DEVICE_SET_IRQS: what the header's validation accepts (drivers/vfio/vfio_main.c; to 4.8 vfio_pci.c), in its
// 32-bit arithmetic, over boundary values. The lane's `a` and `b` are the start and the count, `i` how many vectors
// there are, `w` how many bytes of data follow the header, `key` the bits of the data type; all but `key` as indices.
#pragma once

#include <array>
#include <string>

#include "spec/vfio/point.hpp"

namespace iomc::spec::vfio {

inline constexpr std::array<std::uint32_t, 11> boundary_numbers = {
    0, 1, 2, 31, 32, 33, 0x40000000, 0x7fffffff, 0x80000000, 0xffffffe0, 0xffffffff};
inline constexpr std::array<std::uint32_t, 3> vector_numbers = {1, 32, 2048};
inline constexpr std::array<std::uint32_t, 6> data_sizes = {0, 1, 4, 32, 128, 0xffffffeb};
enum DataType : unsigned char { data_none = 1, data_bool = 2, data_eventfd = 4 };

struct SetIrqs {
  std::uint32_t start = 0;
  std::uint32_t count = 0;
  std::uint32_t vectors = 0;
  std::uint32_t data = 0;  ///< argsz less the header
  unsigned type = 0;
};

/// vfio_set_irqs_validate_and_prepare: no sum or product wraps, and one type bit is set.
inline bool accepts_validated(const SetIrqs& q) {
  if (q.count >= 0xffffffffU - q.start) return false;
  if (q.start >= q.vectors || q.start + q.count > q.vectors) return false;
  std::uint64_t size = 0;
  switch (q.type) {
    case data_none: break;
    case data_bool: size = 1; break;
    case data_eventfd: size = 4; break;
    default: return false;
  }
  return size == 0 || !(q.data < q.count * size);
}

/// To 4.8: sums of 32 bits, and nothing at all is looked at where the bit of "no data" is set. The function that sets
/// up vectors looks at their number again, in the same way.
inline bool accepts_unvalidated(const SetIrqs& q) {
  const std::uint32_t sum = q.start + q.count;
  if ((q.type & data_none) == 0) {
    std::uint64_t size = 0;
    if ((q.type & data_bool) != 0) size = 1;
    else if ((q.type & data_eventfd) != 0) size = 4;
    else return false;
    if (q.data < q.count * size || q.start >= q.vectors || sum > q.vectors) return false;
  }
  return q.start < q.vectors && sum <= q.vectors;
}

/// What the caller promises, in numbers that do not wrap: the vectors exist, and each type bit has its data.
inline bool in_range(const SetIrqs& q) {
  if (std::uint64_t{q.start} + q.count > q.vectors) return false;
  std::uint64_t needed = 0;
  if ((q.type & data_bool) != 0) needed = q.count;
  if ((q.type & data_eventfd) != 0) needed = std::uint64_t{q.count} * 4;
  const std::uint64_t copied = (q.type & data_none) != 0 ? 0 : q.data;  // no data is copied where the bit is set
  return needed <= copied;
}

template <class Program>
SetIrqs asked_for(const Program& me) {
  return {boundary_numbers[model::index_of(me.a, boundary_numbers.size())],
          boundary_numbers[model::index_of(me.b, boundary_numbers.size())],
          vector_numbers[model::index_of(me.i, vector_numbers.size())],
          data_sizes[model::index_of(me.w, data_sizes.size())], static_cast<unsigned>(model::index_of(me.key, 8))};
}

inline std::string text_of(const SetIrqs& q) {
  return "start " + std::to_string(q.start) + ", count " + std::to_string(q.count) + ", data type bits " +
         std::to_string(q.type) + " and " + std::to_string(q.data) + " bytes of data for " + std::to_string(q.vectors) +
         " vectors";
}

template <class D>
bool set_irqs_header(const Point<D>& k) {
  using Byte = typename Point<D>::Byte;
  Program<D>& me = k.me();
  me.a = Byte(k.cx.pick(boundary_numbers.size()));
  me.b = Byte(k.cx.pick(boundary_numbers.size()));
  me.i = Byte(k.cx.pick(vector_numbers.size()));
  me.w = Byte(k.cx.pick(data_sizes.size()));
  me.key = Byte(k.cx.pick(8));
  return k.then(Step::set_irqs_check);
}

template <class D>
bool set_irqs_check(const Point<D>& k) {
  const SetIrqs q = asked_for(k.me());
  const bool accepted = k.facts().set_irqs_validated ? accepts_validated(q) : accepts_unvalidated(q);
  if (!accepted) return k.done();
  Event e;
  e.kind = Event::range;
  e.ok = in_range(q);
  k.emit(e);
  return k.done();
}

}  // namespace iomc::spec::vfio
