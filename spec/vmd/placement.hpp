// SPDX-License-Identifier: GPL-2.0-or-later
// Drives that are probed one after another at the kernel's own sizes: which vectors their interrupts share.
#pragma once

#include <vector>

#include "spec/vmd/facts.hpp"

namespace iomc::spec::vmd {

/// A stated run: identical NVMe drives behind one VMD that remaps.
struct Drives {
  unsigned fast = 63;     ///< vectors of the VMD beside the slow one
  unsigned entries = 64;  ///< interrupts each drive asks for: one admin queue, the rest I/O queues
  unsigned drives = 4;
  unsigned cpus = 192;  ///< the VMD's vectors are spread over them, and so are each drive's queues
};

struct Placement {
  unsigned granted = 0;                       ///< interrupts each drive gets
  std::vector<std::vector<unsigned>> vector;  ///< vector[drive][entry]
  std::vector<unsigned> children;             ///< of each vector; [0] is the slow one

  unsigned most() const;
  unsigned least() const;  ///< of the fast vectors
  unsigned vectors_with(unsigned n) const;
  /// The largest number of I/O queues of one drive on one vector.
  unsigned own_sharing() const;
  /// I/O queues whose vector's CPU is none of the queue's.
  unsigned away(const Drives& run) const;
};

Placement place(const Facts& facts, const Drives& run);

}  // namespace iomc::spec::vmd
