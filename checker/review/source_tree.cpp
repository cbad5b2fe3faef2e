// SPDX-License-Identifier: GPL-2.0-or-later
#include "checker/review/source_tree.hpp"

#include <fmt/format.h>
#include <stdlib.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <utility>

#include "checker/process.hpp"
#include "checker/result.hpp"

namespace iomc::check {

namespace fs = std::filesystem;

TemporaryDirectory::TemporaryDirectory() {
  std::string pattern = (fs::temp_directory_path() / "iomc-XXXXXX").string();
  if (::mkdtemp(pattern.data()) == nullptr)
    throw InputError(
        fmt::format("{}: cannot make a temporary directory: {}; set TMPDIR", pattern, std::strerror(errno)));
  path_ = pattern;
}

TemporaryDirectory::~TemporaryDirectory() {
  std::error_code ignored;
  if (!path_.empty()) fs::remove_all(path_, ignored);
}

TemporaryDirectory::TemporaryDirectory(TemporaryDirectory&& other) noexcept : path_(std::exchange(other.path_, {})) {}

TemporaryDirectory& TemporaryDirectory::operator=(TemporaryDirectory&& other) noexcept {
  std::swap(path_, other.path_);
  return *this;
}

std::string unsafe_path(const std::string& path) {
  if (path.empty()) return "is empty";
  if (path.front() == '/') return "is absolute";
  if (path.find('\\') != std::string::npos || path.find('\0') != std::string::npos)
    return "has a character no kernel file has";
  for (const fs::path& part : fs::path(path))
    if (part == "..") return "has a part \"..\"";
  return {};
}

std::string read_file(const fs::path& path) {
  std::error_code error;
  if (fs::is_directory(path, error)) throw InputError(path.string() + ": is a directory, a file is needed");
  std::ifstream in(path, std::ios::binary);
  if (!in) throw InputError(fmt::format("{}: cannot be read: {}", path.string(), std::strerror(errno)));
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

void write_file(const fs::path& path, const std::string& text) {
  std::error_code error;
  fs::create_directories(path.parent_path(), error);
  std::ofstream out(path, std::ios::binary);
  out << text;
  if (!out.flush()) throw InputError(fmt::format("{}: cannot be written: {}", path.string(), std::strerror(errno)));
}

namespace {

constexpr std::string_view package_end = ".tar.xz";

bool is_package(const fs::path& where) {
  const std::string name = where.filename().string();
  return name.size() > package_end.size() && name.ends_with(package_end);
}

/// The first name in the archive: the folder everything lies in.
std::string top_folder(const fs::path& where) {
  std::string name = where.filename().string();
  name.resize(name.size() - package_end.size());
  return name;
}

/// Unpacks what there is of `files`. xz uses all processors, which halves the time; tar stops at the last file it was
/// asked for, so files that are not in the archive cost a reading to its end.
void unpack(const fs::path& where, const std::vector<std::string>& files, const fs::path& into) {
  const std::string folder = top_folder(where);
  std::vector<std::string> argv{"tar",
                                "--extract",
                                "--use-compress-program=xz -T0",
                                "--file=" + fs::absolute(where).string(),
                                "--directory=" + into.string(),
                                "--strip-components=1",
                                "--occurrence=1",
                                "--no-same-owner",
                                "--no-same-permissions",
                                "--"};
  for (const std::string& f : files) argv.push_back(folder + "/" + f);
  const ProcessResult r = run_process({.argv = argv, .package = "tar xz-utils", .directory = {}, .input = {}});
  // A missing member is no failure here; anything else is.
  const bool only_missing = r.err.find("Not found in archive") != std::string::npos;
  if (r.status != 0 && !only_missing)
    throw InputError(fmt::format("{}: cannot be unpacked: {}", where.string(), first_line(r.err)));
}

}  // namespace

SourceTree SourceTree::open(const fs::path& where, const std::vector<std::string>& files) {
  SourceTree tree;
  tree.label_ = where.string();
  std::error_code error;
  if (fs::is_directory(where, error)) {
    tree.root_ = where;
    return tree;
  }
  if (!fs::exists(where, error))
    throw InputError(
        fmt::format("{}: no such tree: give a kernel source directory or a linux-source-*.tar.xz", where.string()));
  if (!is_package(where))
    throw InputError(fmt::format("{}: neither a directory nor a linux-source-*.tar.xz", where.string()));
  tree.unpacked_.emplace();
  tree.root_ = tree.unpacked_->path();
  if (!files.empty()) unpack(where, files, tree.root_);
  return tree;
}

std::optional<std::string> SourceTree::read(const std::string& path) const {
  if (const std::string why = unsafe_path(path); !why.empty())
    throw InputError(fmt::format("the path \"{}\" {}: it must lie inside the tree", path, why));
  const fs::path full = root_ / path;
  std::error_code error;
  if (!fs::exists(full, error)) return std::nullopt;
  const fs::path real = fs::canonical(full, error), root = fs::canonical(root_, error);
  const auto [end, ignored] = std::mismatch(root.begin(), root.end(), real.begin(), real.end());
  if (end != root.end())
    throw InputError(fmt::format("{}: {} is a link out of the tree: give the tree it points into", label_, path));
  if (!fs::is_regular_file(real, error)) throw InputError(fmt::format("{}: {} is no regular file", label_, path));
  return read_file(real);
}

}  // namespace iomc::check
