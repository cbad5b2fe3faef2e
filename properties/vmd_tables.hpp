// SPDX-License-Identifier: GPL-2.0-or-later
// Decision tables of the mode, filled in by running the specification's own steps on every machine that there is.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "spec/vmd/facts.hpp"

namespace iomc::properties::vmd {

struct Table {
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> rows;
  std::vector<std::string> notes;
};

/// One kernel: what becomes of each device id on each machine. Rows with equal answers are one row.
Table mode_table(const spec::vmd::Facts& facts);

/// One kernel: VMCONFIG, bit for bit, along each path of a life. `vmconfig` is what the kernel finds, 10 bits.
Table register_table(const spec::vmd::Facts& facts, unsigned vmconfig = 0x0100);

/// One kernel: how many children the vectors have after drives were probed one after another.
Table vectors_table(const spec::vmd::Facts& facts);

/// How many of all machines, device ids and feature sets do what, for one kernel.
struct Decisions {
  std::uint64_t machines = 0;  ///< device id x feature set x platform x shadow registers x interrupt remapping
  std::uint64_t runs = 0;      ///< machines x power and hand-over events
  std::uint64_t remapped = 0;
  std::uint64_t bypassed = 0;
  std::uint64_t s1 = 0;  ///< runs in which the property fails
  std::uint64_t s2 = 0;
  std::uint64_t s2a = 0;
  std::uint64_t s10 = 0;
  std::uint64_t lost = 0;  ///< L5
  std::uint64_t p7 = 0;
};
Decisions decide_shipped(const spec::vmd::Facts& facts);  ///< the features of vmd_ids
Decisions decide_all(const spec::vmd::Facts& facts);      ///< every set of features for every id

/// All built-in kernels, one row each.
Table decisions_table();

}  // namespace iomc::properties::vmd
