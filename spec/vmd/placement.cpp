// SPDX-License-Identifier: GPL-2.0-or-later
#include "spec/vmd/placement.hpp"

#include <algorithm>

#include "spec/vmd/list.hpp"

namespace iomc::spec::vmd {

Placement place(const Facts& facts, const Drives& run) {
  Placement out;
  const unsigned msix_count = run.fast + 1;
  // vmd_msi_prepare answers with the most that it grants, and the PCI core asks for that many then.
  out.granted = facts.nvec_capped ? std::min(run.entries, msix_count) : run.entries;
  // One more than there are: a choice that is out of range shows as its count.
  out.children.assign(msix_count + 1, 0);
  std::vector<unsigned> counts(msix_count + 1, 0);
  for (unsigned d = 0; d < run.drives; ++d) {
    out.vector.emplace_back();
    for (unsigned e = 0; e < out.granted; ++e) {
      const unsigned v = vmd_next_irq(facts, 0, msix_count, {true, true, false, false, e}, counts);
      out.vector.back().push_back(v);
      ++out.children[v];
    }
  }
  return out;
}

unsigned Placement::most() const { return *std::max_element(children.begin(), children.end()); }
unsigned Placement::least() const { return *std::min_element(children.begin() + 1, children.end() - 1); }
unsigned Placement::vectors_with(unsigned n) const {
  return static_cast<unsigned>(std::count(children.begin() + 1, children.end() - 1, n));
}

unsigned Placement::own_sharing() const {
  unsigned most = 0;
  for (const auto& drive : vector) {
    std::vector<unsigned> own(children.size(), 0);
    for (std::size_t e = 1; e < drive.size(); ++e) most = std::max(most, ++own[drive[e]]);
  }
  return most;
}

unsigned Placement::away(const Drives& run) const {
  unsigned out = 0;
  for (const auto& drive : vector) {
    const unsigned queues = static_cast<unsigned>(drive.size()) - 1;
    for (unsigned q = 0; q < queues; ++q) {
      // The CPUs in groups of equal size, one group a queue; the fast vectors spread over the CPUs, one CPU each.
      const unsigned cpu = drive[q + 1] == 0 ? 0 : (drive[q + 1] - 1) * run.cpus / run.fast;
      if (cpu * queues / run.cpus != q) ++out;
    }
  }
  return out;
}

}  // namespace iomc::spec::vmd
