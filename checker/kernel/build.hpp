// SPDX-License-Identifier: GPL-2.0-or-later
// Kernel code in user space: files of a kernel tree, compiled with the shims of checker/kernel/shim into a shared
// object that this process loads. The files are taken as they are; the shims are part of the program. A C compiler is
// needed at run time.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "checker/review/source_tree.hpp"

namespace iomc::check {

namespace builtin {
/// Name and text of each shim.
const std::vector<std::pair<std::string, std::string>>& shim_texts();
}  // namespace builtin

/// What to build.
struct Recipe {
  /// A macro that tells the shims what this tree has: it is set where the file contains the text.
  struct Feature {
    std::string file;
    std::string text;
    std::string macro;
  };
  std::vector<std::string> files;     ///< taken from the tree; headers under include/ are found by kernel name
  std::vector<std::string> units;     ///< compiled: shims by name, or files by path
  /// #define lines of the tree's own files that are given another number, and macros for the shims. None: all is as it
  /// is in the tree.
  std::vector<std::pair<std::string, std::string>> constants;
  std::vector<std::string> macros = {};  ///< NAME=VALUE for the compiler
  std::vector<Feature> features = {};
};

/// A loaded shared object. It stays loaded, and its files stay there, for as long as this lives.
class BuiltCode {
 public:
  /// InputError if the tree lacks a file, there is no C compiler, or it cannot compile the tree's code.
  static BuiltCode make(const SourceTree& tree, const Recipe& recipe);

  BuiltCode(BuiltCode&&) noexcept = default;
  BuiltCode& operator=(BuiltCode&&) noexcept = default;

  /// The address of a symbol. InputError if there is none.
  void* symbol(const std::string& name) const;

 private:
  struct Close {
    void operator()(void* handle) const;
  };
  BuiltCode() = default;
  TemporaryDirectory directory_;
  std::unique_ptr<void, Close> handle_;
};

}  // namespace iomc::check
