// SPDX-License-Identifier: GPL-2.0-or-later
// Applying patches.
#include <fmt/format.h>

#include <algorithm>

#include "checker/result.hpp"
#include "checker/review/c_text.hpp"
#include "checker/review/patch.hpp"

namespace iomc::check {

namespace {

/// A file as lines, and whether the last of them has its line end.
struct Text {
  std::vector<std::string> lines;
  bool newline_at_end = true;

  explicit Text(const std::string& from) : newline_at_end(from.empty() || from.back() == '\n') {
    for (const std::string_view l : lines_of(from)) lines.emplace_back(l);
  }

  std::string str() const {
    std::string out;
    for (const std::string& l : lines) out += l + "\n";
    if (!newline_at_end && !out.empty()) out.pop_back();
    return out;
  }
};

class FileApplier {
 public:
  FileApplier(const Patch& patch, const FilePatch& file, AppliedFile& applied, std::vector<std::string>& notes)
      : patch_(patch), file_(file), out_(applied), notes_(notes), old_(applied.before), new_(std::string()) {}

  void run() {
    new_.newline_at_end = old_.newline_at_end;
    for (const Hunk& h : file_.hunks) apply(h);
    copy_until(old_.lines.size());
    out_.after = new_.str();
  }

 private:
  bool matches(const Hunk& h, std::size_t at) const {
    for (const HunkLine& l : h.lines) {
      if (l.kind == '+') continue;
      if (at >= old_.lines.size() || old_.lines[at] != l.text) return false;
      if (l.no_newline && (at + 1 != old_.lines.size() || old_.newline_at_end)) return false;
      ++at;
    }
    return true;
  }

  /// Where the hunk's old lines begin, nearest to where it says; hunks stay in order.
  std::size_t find(const Hunk& h) const {
    const std::size_t said = h.old_start - (h.old_count == 0 || h.old_start == 0 ? 0 : 1);
    const auto shifted = static_cast<std::ptrdiff_t>(said) + shift_;
    const std::size_t expected = static_cast<std::size_t>(std::max<std::ptrdiff_t>(shifted, 0));
    for (std::size_t away = 0; away <= old_.lines.size() + expected; ++away) {
      if (expected + away <= old_.lines.size() && expected + away >= done_ && matches(h, expected + away))
        return expected + away;
      if (away <= expected && expected - away >= done_ && expected - away <= old_.lines.size() &&
          matches(h, expected - away))
        return expected - away;
      if (h.old_count == 0) break;  // nothing to look for
    }
    refuse(h, expected);
  }

  [[noreturn]] void refuse(const Hunk& h, std::size_t expected) const {
    std::size_t at = std::max(expected, done_);
    std::string wanted, found = "the end of the file";
    for (const HunkLine& l : h.lines) {
      if (l.kind == '+') continue;
      wanted = l.text;
      if (at >= old_.lines.size() || old_.lines[at] != l.text) break;
      ++at;
    }
    if (at < old_.lines.size()) found = fmt::format("\"{}\"", old_.lines[at]);
    throw InputError(fmt::format(
        "{}:{}: hunk @@ -{},{} +{},{} @@ of {} does not apply: line {} should be \"{}\", the tree has {}",
        patch_.source, h.line, h.old_start, h.old_count, h.new_start, h.new_count, out_.path, at + 1, wanted, found));
  }

  void copy_until(std::size_t end) {
    for (; done_ < end; ++done_) new_.lines.push_back(old_.lines[done_]);
  }

  void apply(const Hunk& h) {
    const std::size_t at = find(h);
    const std::size_t said = h.old_start - (h.old_count == 0 || h.old_start == 0 ? 0 : 1);
    shift_ = static_cast<std::ptrdiff_t>(at) - static_cast<std::ptrdiff_t>(said);
    if (shift_ != 0)
      notes_.push_back(fmt::format("{}:{}: applied to {} at line {}, {} lines {} than it says", patch_.source, h.line,
                                   out_.path, at + 1, shift_ > 0 ? shift_ : -shift_,
                                   shift_ > 0 ? "further down" : "further up"));
    copy_until(at);
    ChangedLines run{};
    const auto end_run = [&] {
      if (run.old_count + run.new_count > 0) out_.changes.push_back(run);
      run = {};
    };
    for (const HunkLine& l : h.lines) {
      if (l.kind == ' ') {
        end_run();
        copy_until(done_ + 1);
      } else {
        if (run.old_count + run.new_count == 0)
          run = {h.line, static_cast<unsigned>(done_) + 1, 0, static_cast<unsigned>(new_.lines.size()) + 1, 0};
        change(l, run);
      }
    }
    end_run();
  }

  void change(const HunkLine& l, ChangedLines& run) {
    if (l.kind == '-') {
      ++done_;
      ++run.old_count;
      if (l.no_newline) new_.newline_at_end = true;
    } else {
      new_.lines.push_back(l.text);
      ++run.new_count;
      if (l.no_newline) new_.newline_at_end = false;
    }
  }

  const Patch& patch_;
  const FilePatch& file_;
  AppliedFile& out_;
  std::vector<std::string>& notes_;
  Text old_;
  Text new_;
  std::size_t done_ = 0;      ///< old lines copied or removed so far
  std::ptrdiff_t shift_ = 0;  ///< how far the last hunk was from where it said
};

/// The path in the tree that a name in a patch means: as written, or without its first folder (diff -u old/… new/…).
std::string resolve(const FileTexts& files, const std::string& name, bool prefixed) {
  if (files.count(name) != 0 || prefixed) return name;
  const auto slash = name.find('/');
  const std::string shorter = slash == std::string::npos ? name : name.substr(slash + 1);
  return files.count(shorter) != 0 ? shorter : name;
}

void apply_file(const Patch& patch, const FilePatch& file, Application& out) {
  AppliedFile applied;
  applied.source = patch.source;
  applied.created = file.old_path.empty();
  applied.deleted = file.new_path.empty();
  const std::string old_path = resolve(out.after, file.old_path, file.prefixed);
  const auto found = out.after.find(old_path);
  if (applied.created) {
    applied.path = file.new_path;
    if (out.after.count(applied.path) != 0)
      throw InputError(
          fmt::format("{}:{}: creates {}, which the tree has already", patch.source, file.line, applied.path));
  } else if (found == out.after.end()) {
    throw InputError(fmt::format("{}:{}: the tree has no {}: is the patch for another kernel?", patch.source, file.line,
                                 file.old_path));
  } else {
    applied.path = old_path;
    applied.before = found->second;
  }
  FileApplier(patch, file, applied, out.notes).run();
  if (applied.deleted && !applied.after.empty())
    throw InputError(fmt::format("{}:{}: deletes {}, but not all of its lines", patch.source, file.line, applied.path));
  if (!applied.created) out.after.erase(old_path);
  // A name that differs only by its first folder (diff -u old/f new/f) is no new file.
  const bool renamed = file.prefixed && !applied.created && !applied.deleted && file.new_path != file.old_path;
  if (renamed) applied.path = file.new_path;
  if (!applied.deleted) out.after[applied.path] = applied.after;
  out.applied.push_back(std::move(applied));
}

}  // namespace

Application apply_patches(const SourceTree& tree, const std::vector<Patch>& patches,
                          const std::vector<std::string>& also) {
  Application out;
  std::vector<std::string> names = paths_named(patches);
  names.insert(names.end(), also.begin(), also.end());
  for (const Patch& p : patches)
    for (const FilePatch& f : p.files)
      if (f.old_path.empty()) names.push_back(f.new_path);
  for (const std::string& name : names)
    if (const auto text = tree.read(name)) out.before[name] = *text;
  out.after = out.before;
  for (const Patch& p : patches)
    for (const FilePatch& f : p.files) apply_file(p, f, out);
  return out;
}

}  // namespace iomc::check
