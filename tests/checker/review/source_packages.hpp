// SPDX-License-Identifier: GPL-2.0-or-later
// The kernel source packages that the tests read, unpacked once a program run.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "checker/review/c_text.hpp"
#include "checker/review/source_tree.hpp"

namespace iomc::check::testing {

inline std::filesystem::path source_directory() {
  const char* given = std::getenv("IOMC_LINUX_SOURCE_DIR");
  return given != nullptr ? given : "/usr/src";
}

inline std::filesystem::path package(const std::string& version) {
  return source_directory() / ("linux-source-" + version + ".tar.xz");
}

/// Only the named functions; every other line is blank, so that line numbers stay.
inline std::string only(const std::vector<std::string>& functions, const std::string& text) {
  std::string out;
  const Tokens tokens = tokenize(text);
  const std::vector<Region> all = regions(tokens.tokens);
  unsigned number = 0;
  for (const std::string_view line : lines_of(text)) {
    const Region* r = region_at(all, ++number);
    if (r != nullptr && std::find(functions.begin(), functions.end(), r->name) != functions.end()) out.append(line);
    out += '\n';
  }
  return out;
}

/// The two specified files of a package, and of the IOMMU drivers' what facts are read from: reading them whole takes
/// seconds.
inline const FileTexts& kernel(const std::string& version) {
  static std::map<std::string, FileTexts> unpacked;
  FileTexts& files = unpacked[version];
  if (files.empty()) {
    const std::map<std::string, std::vector<std::string>> excerpts{
        {"drivers/iommu/intel/iommu.c", {"intel_iommu_init"}},
        {"drivers/iommu/amd/iommu.c", {"amd_iommu_capable"}},
        {"drivers/iommu/iommu.c",
         {"iommu_group_alloc", "iommu_group_store_type", "iommu_change_dev_def_domain"}}};
    std::vector<std::string> names{"drivers/iommu/dma-iommu.c", "drivers/iommu/iova.c"};
    for (const auto& [name, functions] : excerpts) names.push_back(name);
    const SourceTree tree = SourceTree::open(package(version), names);
    for (const std::string& name : names)
      if (const auto text = tree.read(name)) files[name] = *text;
    for (const auto& [name, functions] : excerpts) files[name] = only(functions, files[name]);
  }
  return files;
}

/// The files written into a directory, as a tree.
inline void make_tree(const std::filesystem::path& root, const FileTexts& files) {
  for (const auto& [name, text] : files) write_file(root / name, text);
}

}  // namespace iomc::check::testing
