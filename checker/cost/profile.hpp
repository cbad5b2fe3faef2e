// SPDX-License-Identifier: GPL-2.0-or-later
// Machine profiles: what each event of model/cost.hpp takes on a named machine, with where that is known from. JSON
// (docs/formats.md, iomc.profile/1); the built-in ones are checker/cost/profiles/*.json.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "checker/cost/range.hpp"
#include "model/cost.hpp"

namespace iomc::check::cost {

/// Measured: timed by the real code. Published: read from a public record. Fitted: chosen so that a stated figure comes
/// out, which then proves nothing. Assumed: nobody has said.
enum class Provenance : unsigned char { measured, published, fitted, assumed };
const char* name(Provenance p);

/// The time of one event while the tree has that many nodes.
struct AtSize {
  double nodes = 0;
  Range ns;
};

struct Entry {
  std::string event;
  std::vector<AtSize> at;  ///< one, or several by rising tree size
  Provenance provenance = Provenance::assumed;
  std::string source;

  /// Between two sizes by the logarithm of the size, beyond them as at the end.
  Range ns(double nodes) const;
};

/// A quantity of the machine that is no event: a device's limit, a port's message rate.
struct Figure {
  std::string name;
  std::string unit;
  Range value;
  Provenance provenance = Provenance::assumed;
  std::string source;
};

struct Profile {
  std::string name;
  std::string what;
  double clock_ghz = 0;
  unsigned cpus = 0;
  unsigned numa_nodes = 0;
  std::vector<Entry> entries;
  std::vector<Figure> figures;

  const Entry* entry(std::string_view event) const;
  /// The figure must exist: InputError otherwise, since profiles come from users too.
  const Figure& figure(std::string_view wanted) const;
  /// Fitted entries and figures.
  unsigned fitted() const;
};

/// Reads a profile. InputError with `file`, the line and the remedy where anything is not as it must be.
Profile parse_profile(const std::string& text, const std::string& file);

/// The built-in profiles by name.
const std::vector<Profile>& profiles();

/// The built-in profile of that name, or the file where the word has a '/' or ends in ".json". InputError with the
/// list.
Profile find_profile(const std::string& word);

namespace builtin {

struct ProfileText {
  std::string_view file;
  std::string_view text;
};

/// Generated from checker/cost/profiles at build time.
const std::vector<ProfileText>& profile_texts();

}  // namespace builtin

}  // namespace iomc::check::cost
