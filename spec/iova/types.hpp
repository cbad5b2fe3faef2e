// SPDX-License-Identifier: GPL-2.0-or-later
// The types the iova steps are written in, for one value domain and one shape (capacities and containers).
//
// Small is for exhaustive search and for Z3: byte-wide fields in fixed arrays. A pfn is 8 bits wide there, so that the
// anchor at ~0UL is 255 and arithmetic wraps at 256; the space in use ends far below. Real is for sampling and costing:
// 64-bit pfns in vectors, at the kernel's own constants.
#pragma once

#include <array>
#include <vector>

#include "model/reflect.hpp"
#include "model/value.hpp"

namespace iomc::spec::iova {

struct Small {
  static constexpr unsigned pfn_bits = 8;
  static constexpr unsigned count_bits = 8;
  static constexpr bool ghosts = true;
  static constexpr unsigned cpus = 2;
  static constexpr unsigned bins = 2;
  static constexpr unsigned mag = 2;
  static constexpr unsigned depot = 3;
  static constexpr unsigned ring = 4;
  static constexpr unsigned nodes = 7;
  static constexpr unsigned lanes = 4;
  static constexpr unsigned live = 6;
  static constexpr unsigned devices = 2;
};

/// For Z3: every step's paths are enumerated from an arbitrary state of this shape.
struct Tiny {
  static constexpr unsigned pfn_bits = 8;
  static constexpr unsigned count_bits = 8;
  static constexpr bool ghosts = true;
  static constexpr unsigned cpus = 2;
  static constexpr unsigned bins = 1;
  static constexpr unsigned mag = 1;
  static constexpr unsigned depot = 3;
  static constexpr unsigned ring = 2;
  static constexpr unsigned nodes = 2;
  static constexpr unsigned lanes = 2;
  static constexpr unsigned live = 4;
  static constexpr unsigned devices = 1;
};

/// Room for three CPUs, larger magazines and wider spaces: slower to explore, used where a --set asks for it.
struct Medium {
  static constexpr unsigned pfn_bits = 8;
  static constexpr unsigned count_bits = 8;
  static constexpr bool ghosts = true;
  static constexpr unsigned cpus = 3;
  static constexpr unsigned bins = 4;
  static constexpr unsigned mag = 4;
  static constexpr unsigned depot = 4;
  static constexpr unsigned ring = 8;
  static constexpr unsigned nodes = 12;
  static constexpr unsigned lanes = 5;
  static constexpr unsigned live = 16;
  static constexpr unsigned devices = 3;
};

struct Real {
  static constexpr unsigned pfn_bits = 64;
  static constexpr unsigned count_bits = 32;
  static constexpr bool ghosts = false;  ///< the ghost sets are kept by the reference model there
  static constexpr unsigned cpus = 0;    ///< 0: sized at run time
  static constexpr unsigned bins = 0;
  static constexpr unsigned mag = 0;
  static constexpr unsigned depot = 0;
  static constexpr unsigned ring = 0;
  static constexpr unsigned nodes = 0;
  static constexpr unsigned lanes = 2;
  static constexpr unsigned live = 0;
  static constexpr unsigned devices = 2;
};

/// The kernel's widths with room for a few nodes, for Z3: the tree alone (spec/iova/tree_alone.hpp). The domain's first
/// pfn and its 32-bit boundary are values of the state there.
template <unsigned Nodes>
struct Wide {
  static constexpr unsigned pfn_bits = 64;
  static constexpr unsigned count_bits = 8;
  static constexpr bool ghosts = false;
  static constexpr bool open_bounds = true;
  static constexpr unsigned cpus = 1;
  static constexpr unsigned bins = 1;
  static constexpr unsigned mag = 1;
  static constexpr unsigned depot = 1;
  static constexpr unsigned ring = 1;
  static constexpr unsigned nodes = Nodes;
  static constexpr unsigned lanes = 1;
  static constexpr unsigned live = 1;
  static constexpr unsigned devices = 1;
};

template <class Shape>
concept OpenBounds = requires { requires Shape::open_bounds; };

namespace detail {
template <class T, unsigned N>
struct array_of {
  using type = std::array<T, N>;
};
template <class T>
struct array_of<T, 0> {
  using type = std::vector<T>;
};
}  // namespace detail

template <class D_, class Shape_>
struct Types {
  using D = D_;
  using Shape = Shape_;
  using Pfn = typename D::template Bits<Shape::pfn_bits>;
  using Count = typename D::template Bits<Shape::count_bits>;
  using Flag = typename D::template Bits<8>;
  using Bool = typename D::Bool;
  template <class T, unsigned N>
  using Array = typename detail::array_of<T, N>::type;

  /// A declared range that holds in the shapes for exhaustive search; at real sizes nothing is declared.
  static constexpr model::Range small(std::uint64_t hi) { return Shape::ghosts ? model::Range{0, hi} : model::any; }

  static Pfn anchor_pfn() { return ~Pfn(0); }
};

/// array[value], with a symbolic value forked into the indices it may be.
template <class A, class V>
auto& at(A& array, const V& value) {
  return array[model::index_of(value, array.size())];
}

/// The smallest k with 2^k >= size: the order of a range, and fls_long(size - 1).
template <class V>
unsigned order_of(const V& size) {
  unsigned order = 0;
  while (order + 1 < V::width && V(std::uint64_t{1} << order) < size) ++order;
  return order;
}

/// ~0UL << fls_long(size - 1): the pfns that a range of this size may start at. Without a fork of paths.
template <class V>
V align_mask_of(const V& size) {
  V below = size - V(1);
  for (unsigned n = 1; n < V::width; n *= 2) below |= below >> n;
  return ~below;
}

/// A page count as a pfn, and a CPU id as a count: the widths differ only at real sizes.
template <class T, class V>
typename T::Pfn widen(const V& v) {
  return v.template to<T::Shape::pfn_bits>();
}
template <class T, class V>
typename T::Count narrow(const V& v) {
  return v.template to<T::Shape::count_bits>();
}

template <class T>
void size_to(T& array, std::size_t n) {
  if constexpr (requires { array.resize(n); }) array.resize(n);
}

}  // namespace iomc::spec::iova
