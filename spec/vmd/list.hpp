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
  bool ahci = false;
  unsigned entry = 0;  ///< entry number in the child's own table
};

inline Requester requester(ChildKind kind, unsigned entry) {
  const bool nvme = kind == ChildKind::nvme || kind == ChildKind::nvme_nosync;
  return {nvme, nvme, kind == ChildKind::bridge, kind == ChildKind::ahci, entry};
}

/// Whether vmd_next_irq compares counts for this child, which it does under the list lock. Else the vector follows from
/// what the child is, and no lock is taken.
inline bool compares_counts(const Facts& f, unsigned first_vec, unsigned msix_count, const Requester& child) {
  switch (f.vector_choice) {
    case VectorChoice::least_of_all: return true;
    case VectorChoice::msi_on_first: return child.msix && msix_count != 1;
    case VectorChoice::bridges_first: return child.msix && !child.bridge && msix_count != 1;
    // The guard lets an entry number pass that is one too high.
    case VectorChoice::by_entry: return child.nvme && child.entry <= msix_count;
    case VectorChoice::nvme_spread: return child.nvme && msix_count != 1 + first_vec;
    case VectorChoice::ahci_spread: return (child.nvme || child.ahci) && msix_count != 1 + first_vec;
  }
  return true;
}

/// vmd_next_irq: the vector of a new child, and the child counted there. counts[i] can be read, compared and increased.
template <class Counts>
unsigned vmd_next_irq(const Facts& f, unsigned first_vec, unsigned msix_count, const Requester& child, Counts& counts) {
  unsigned first = 0;  // of those that are compared
  unsigned slow = 0;
  switch (f.vector_choice) {
    case VectorChoice::least_of_all: break;
    case VectorChoice::msi_on_first:
    case VectorChoice::bridges_first: first = 1; break;
    case VectorChoice::by_entry: slow = first_vec; break;
    case VectorChoice::nvme_spread:
    case VectorChoice::ahci_spread:
      first = first_vec + 1;
      slow = msix_count == 1 + first_vec && !f.single_vector_offset ? 0 : first_vec;
      break;
  }
  if (!compares_counts(f, first_vec, msix_count, child)) {
    if (f.slow_child_counted) counts[slow] += 1;
    return slow;
  }
  if (f.vector_choice == VectorChoice::by_entry)
    return counts[child.entry < msix_count ? child.entry : msix_count - 1] += 1, child.entry;
  unsigned best = first;
  for (unsigned i = first; i < msix_count; ++i)
    if (counts[i] < counts[best]) best = i;
  counts[best] += 1;
  return best;
}

}  // namespace iomc::spec::vmd
