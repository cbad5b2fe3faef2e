// SPDX-License-Identifier: GPL-2.0-or-later
// What one message costs until its eventfd has counted it.
#pragma once

#include "checker/system.hpp"
#include "spec/vfio/facts.hpp"

namespace iomc::check {

/// The steps of one message with nobody else on the machine, from the device's write to the raised count, each by name
/// with how often it is taken, and what they stand for: context switches, wake-ups, locks that may sleep.
WorkloadCost vfio_delivery(const spec::vfio::Facts& facts);

}  // namespace iomc::check
