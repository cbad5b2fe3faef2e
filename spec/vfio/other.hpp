// SPDX-License-Identifier: GPL-2.0-or-later
// Other kernel code on the path, as what it locks: drivers, softirq sections, tasks that never block.
#pragma once

#include "spec/vfio/softirq.hpp"

namespace iomc::spec::vfio {

/// The end of code that is a system call or was called.
template <class D>
bool finish(const Point<D>& k) {
  return k.me().ret[0].nonzero() ? k.ret() : k.done();
}

template <class D>
bool spin_on(const Point<D>& k) {
  return k.then(Step::spin_on);
}

template <class D>
bool bh_take(const Point<D>& k) {
  VFIO_BH_OFF(k);
  return k.then(Step::bh_drop);
}

template <class D>
bool bh_drop(const Point<D>& k) {
  if (softirqs_to_run(k)) return k.call(Step::softirq_begin, Step::bh_drop);
  bh_on(k);
  return finish(k);
}

/// The lane's `a` is the lock.
template <class D>
bool section_lock(const Point<D>& k) {
  VFIO_LOCK(k, static_cast<unsigned>(model::index_of(k.me().a, lock_count)), model::plain);
  return k.then(Step::section_unlock);
}
template <class D>
bool section_unlock(const Point<D>& k) {
  k.drop(static_cast<unsigned>(model::index_of(k.me().a, lock_count)));
  return finish(k);
}

}  // namespace iomc::spec::vfio
