// SPDX-License-Identifier: GPL-2.0-or-later
// The facts of a Debian kernel after its source was edited, as what differs from the built-in ones.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "checker/review/read_facts.hpp"
#include "tests/checker/review/edits.hpp"
#include "tests/checker/review/fact_system.hpp"
#include "tests/checker/review/source_packages.hpp"

namespace iomc::check::testing {

/// All files that the facts of vfio and vmd are read from, unpacked once a program run.
inline const FileTexts& interrupt_sources(const std::string& version) {
  static std::map<std::string, FileTexts> unpacked;
  FileTexts& files = unpacked[version];
  if (files.empty()) {
    std::vector<std::string> names = files_read(vfio_facts());
    for (const std::string& name : files_read(vmd_facts())) names.push_back(name);
    const SourceTree tree = SourceTree::open(package(version), names);
    for (const std::string& name : names)
      if (const auto text = tree.read(name)) files[name] = *text;
  }
  return files;
}

struct Edit {
  const char* file;
  const char* from;  ///< occurs once, or
  const char* to;
  bool everywhere = false;
};

template <class S>
class EditedFacts {
 public:
  EditedFacts(S (*make)(), const std::string& version)
      : system_(make()), version_(version), base_(read_facts(interrupt_sources(version), system_)) {}

  const FactReading& base() const { return base_; }

  FactReading read(const FileTexts& files) const { return read_facts(files, system_, {{}, base_.runs}); }

  FileTexts files(const std::vector<Edit>& edits) const {
    FileTexts out = interrupt_sources(version_);
    for (const Edit& e : edits)
      out[e.file] = e.everywhere ? edited_everywhere(out[e.file], e.from, e.to) : edited(out[e.file], e.from, e.to);
    return out;
  }

  /// "NAME=VALUE NAME=VALUE" of the facts that are not the built-in ones, in the order of declaration.
  std::string changes(const FactReading& read) const {
    std::string out;
    for (const auto& [name, value] : system_.facts("debian-" + version_)) {
      const FactRead* f = read.find(name);
      const std::string got = f == nullptr ? "nothing" : f->value.value_or("unknown");
      if (got != value) out += (out.empty() ? "" : " ") + name + "=" + got;
    }
    return out;
  }
  std::string changes(const std::vector<Edit>& edits) const { return changes(read(files(edits))); }

 private:
  S system_;
  std::string version_;
  FactReading base_;
};

}  // namespace iomc::check::testing
