// SPDX-License-Identifier: GPL-2.0-or-later
// The types the vmd steps are written in, for one value domain and one shape.
#pragma once

#include <array>

#include "model/reflect.hpp"
#include "model/value.hpp"

namespace iomc::spec::vmd {

struct Small {
  static constexpr unsigned cpus = 3;
  static constexpr unsigned children = 4;  ///< child interrupts
  static constexpr unsigned vectors = 3;   ///< the VMD's own vectors
  static constexpr unsigned lanes = 5;
};

template <class D_, class Shape_>
struct Types {
  using D = D_;
  using Shape = Shape_;
  using Byte = typename D::template Bits<8>;
  using Word = typename D::template Bits<16>;
  using Bool = typename D::Bool;

  /// List nodes are numbered: the children first, then one list head a vector.
  static constexpr unsigned nodes = Shape::children + Shape::vectors;
  static constexpr unsigned head(unsigned vector) { return Shape::children + vector; }
  static constexpr unsigned poison = 0xff;  ///< LIST_POISON2
};

/// array[value], with a symbolic value forked into the indices it may be.
template <class A, class V>
auto& at(A& array, const V& value) {
  return array[model::index_of(value, array.size())];
}

}  // namespace iomc::spec::vmd
