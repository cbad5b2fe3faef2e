// SPDX-License-Identifier: GPL-2.0-or-later
// The kernel source packages that the tests read, unpacked once a program run.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "checker/review/source_tree.hpp"

namespace iomc::check::testing {

inline std::filesystem::path source_directory() {
  const char* given = std::getenv("IOMC_LINUX_SOURCE_DIR");
  return given != nullptr ? given : "/usr/src";
}

inline std::filesystem::path package(const std::string& version) {
  return source_directory() / ("linux-source-" + version + ".tar.xz");
}

/// The two specified files of a package.
inline const FileTexts& kernel(const std::string& version) {
  static std::map<std::string, FileTexts> unpacked;
  FileTexts& files = unpacked[version];
  if (files.empty()) {
    const std::vector<std::string> names{"drivers/iommu/dma-iommu.c", "drivers/iommu/iova.c"};
    const SourceTree tree = SourceTree::open(package(version), names);
    for (const std::string& name : names)
      if (const auto text = tree.read(name)) files[name] = *text;
  }
  return files;
}

/// The files written into a directory, as a tree.
inline void make_tree(const std::filesystem::path& root, const FileTexts& files) {
  for (const auto& [name, text] : files) write_file(root / name, text);
}

}  // namespace iomc::check::testing
