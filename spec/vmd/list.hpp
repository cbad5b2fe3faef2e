// SPDX-License-Identifier: GPL-2.0-or-later
// The lists of enabled children, and the choice of a child's vector: drivers/pci/controller/vmd.c.
#pragma once

#include "spec/vmd/point.hpp"

namespace iomc::spec::vmd {

/// node.next and node.prev of a child or a list head.
template <class T>
Node<T>& next_of(State<T>& s, unsigned node) {
  return node < T::Shape::children ? s.children[node].next : s.irqs[node - T::Shape::children].next;
}
template <class T>
Node<T>& prev_of(State<T>& s, unsigned node) {
  return node < T::Shape::children ? s.children[node].prev : s.irqs[node - T::Shape::children].prev;
}

template <class T>
bool is_head(const typename T::Byte& node) {
  return node >= typename T::Byte(T::Shape::children) && node < typename T::Byte(T::nodes);
}

/// list_add_tail_rcu. A reader sees the node's new `next` at once, and the node once it is linked.
template <class T>
void list_add_tail(State<T>& s, unsigned node, unsigned head) {
  using Byte = typename T::Byte;
  const unsigned last = static_cast<unsigned>(model::index_of(prev_of(s, head).at, T::nodes));
  next_of(s, node) = Byte(head);
  prev_of(s, node) = Byte(last);
  next_of(s, last) = Byte(node);
  prev_of(s, head) = Byte(node);
}

/// list_del_rcu: node.next stays, for readers that stand at the node. False: the node is poisoned already.
template <class T>
bool list_del(State<T>& s, unsigned node) {
  using Byte = typename T::Byte;
  if (s.children[node].prev.at == Byte(T::poison)) return false;
  const unsigned next = static_cast<unsigned>(model::index_of(s.children[node].next.at, T::nodes));
  const unsigned prev = static_cast<unsigned>(model::index_of(s.children[node].prev.at, T::nodes));
  next_of(s, prev) = Byte(next);
  prev_of(s, next) = Byte(prev);
  s.children[node].prev = Byte(T::poison);
  return true;
}

/// The part of vmd_irq_disable under the list lock. False: poison was dereferenced.
template <class T>
bool unlink_child(const Facts& f, State<T>& s, unsigned c) {
  using Byte = typename T::Byte;
  if (f.list_del == ListDel::flagged && !s.children[c].enabled.nonzero()) return true;
  s.children[c].enabled = Byte(0);
  if (!list_del(s, c)) return false;
  if (f.list_del == ListDel::reinit) s.children[c].next = s.children[c].prev = Byte(c);
  return true;
}

/// The part of vmd_irq_enable under the list lock.
template <class T>
void link_child(State<T>& s, unsigned c) {
  list_add_tail(s, c, T::head(static_cast<unsigned>(model::index_of(s.children[c].vector, T::Shape::vectors))));
  s.children[c].enabled = typename T::Byte(1);
}

/// What vmd_next_irq looks at in a child.
struct Requester {
  bool nvme = true;
  bool msix = true;
  bool bridge = false;
  unsigned entry = 0;  ///< entry number in the child's own table
};

inline Requester requester(ChildKind kind, unsigned entry) {
  const bool nvme = kind == ChildKind::nvme || kind == ChildKind::nvme_nosync;
  return {nvme, nvme, kind == ChildKind::bridge, entry};
}

/// vmd_next_irq: the vector of a new child, and the child counted there. counts[i] can be read, compared and increased.
template <class Counts>
unsigned vmd_next_irq(const Facts& f, unsigned first_vec, unsigned msix_count, const Requester& child, Counts& counts) {
  const auto slow = [&](unsigned vector) {
    if (f.slow_child_counted) counts[vector] += 1;
    return vector;
  };
  const auto least = [&](unsigned from) {
    unsigned best = from;
    for (unsigned i = from; i < msix_count; ++i)
      if (counts[i] < counts[best]) best = i;
    counts[best] += 1;
    return best;
  };
  switch (f.vector_choice) {
    case VectorChoice::least_of_all: return least(0);
    case VectorChoice::msi_on_first:
      if (!child.msix || msix_count == 1) return slow(0);
      return least(1);
    case VectorChoice::bridges_first:
      if (!child.msix || child.bridge || msix_count == 1) return slow(0);
      return least(1);
    case VectorChoice::by_entry:
      if (!child.nvme) return slow(first_vec);
      // The guard lets an entry number pass that is one too high.
      if (child.entry > msix_count) return slow(first_vec);
      return counts[child.entry < msix_count ? child.entry : msix_count - 1] += 1, child.entry;
    case VectorChoice::nvme_spread: break;
  }
  const unsigned single = f.single_vector_offset ? first_vec : 0;
  if (msix_count == 1 + first_vec) return slow(single);
  if (!child.nvme) return slow(first_vec);
  return least(first_vec + 1);
}

}  // namespace iomc::spec::vmd
