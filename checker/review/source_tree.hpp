// SPDX-License-Identifier: GPL-2.0-or-later
// A kernel source tree that is looked at and never written to: a directory, or a linux-source-*.tar.xz of Debian.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace iomc::check {

/// A private directory that goes when its owner goes.
class TemporaryDirectory {
 public:
  TemporaryDirectory();
  ~TemporaryDirectory();
  TemporaryDirectory(TemporaryDirectory&& other) noexcept;
  TemporaryDirectory& operator=(TemporaryDirectory&& other) noexcept;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

/// Why a path inside a tree cannot be used, or the empty string: absolute, with "..", empty, or with odd characters.
std::string unsafe_path(const std::string& path);

class SourceTree {
 public:
  /// Opens a tree; `files` are the ones that will be asked for. InputError if there is no such tree, or it is none.
  /// From a package the files are unpacked into a private directory; a file that is not in it is left out.
  static SourceTree open(const std::filesystem::path& where, const std::vector<std::string>& files);

  /// The text of a file; nullopt if the tree has none of that name. InputError if the path leaves the tree.
  std::optional<std::string> read(const std::string& path) const;

  const std::string& label() const { return label_; }  ///< the tree as it was given

 private:
  SourceTree() = default;
  std::string label_;
  std::filesystem::path root_;
  std::optional<TemporaryDirectory> unpacked_;
};

/// Files of a tree by their path in it: what patches are applied to and facts are read from.
using FileTexts = std::map<std::string, std::string>;

/// The text of a file outside any tree. InputError if it cannot be read.
std::string read_file(const std::filesystem::path& path);

/// Writes a text, and makes the folders above it.
void write_file(const std::filesystem::path& path, const std::string& text);

}  // namespace iomc::check
