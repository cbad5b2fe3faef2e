// SPDX-License-Identifier: GPL-2.0-or-later
// Patches: read from unified diffs, git format-patch files and mboxes, and applied strictly to copies in memory. The
// tree they are for is never written to.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "checker/review/source_tree.hpp"

namespace iomc::check {

struct HunkLine {
  char kind = ' ';  ///< ' ' context, '-' removed, '+' added
  std::string text;
  bool no_newline = false;  ///< the last line of a file that does not end in a line end
};

struct Hunk {
  unsigned line = 0;  ///< of its header in the patch
  unsigned old_start = 0;
  unsigned old_count = 0;
  unsigned new_start = 0;
  unsigned new_count = 0;
  std::vector<HunkLine> lines;
};

struct FilePatch {
  unsigned line = 0;      ///< of its header in the patch
  std::string old_path;   ///< as written, without "a/"; empty: the file is created
  std::string new_path;   ///< as written, without "b/"; empty: the file is deleted
  bool prefixed = false;  ///< "a/" and "b/" were there, so the paths are the tree's own
  std::vector<Hunk> hunks;
};

struct Patch {
  std::string source;   ///< file it came from, for messages
  std::string subject;  ///< of a mail; else empty
  std::vector<FilePatch> files;
};

/// All patches in a text, in series order. InputError, with the file and the line, if there is none in it, or a damaged
/// one, or one that names a path outside the tree.
std::vector<Patch> read_patches(std::string_view text, const std::string& source);

/// The paths the patches may mean in a tree: what to open it with.
std::vector<std::string> paths_named(const std::vector<Patch>& patches);

/// A run of changed lines; numbers from 1, in the file before and after its patch.
struct ChangedLines {
  unsigned patch_line = 0;  ///< of the hunk's header
  unsigned old_first = 0;
  unsigned old_count = 0;
  unsigned new_first = 0;
  unsigned new_count = 0;
};

struct AppliedFile {
  std::string source;  ///< the patch
  std::string path;    ///< in the tree; of a deleted file its old one
  bool created = false;
  bool deleted = false;
  std::string before;  ///< text before this patch
  std::string after;
  std::vector<ChangedLines> changes;
};

struct Application {
  FileTexts before;                  ///< the touched files and those asked for, as in the tree
  FileTexts after;                   ///< the same with all patches applied
  std::vector<AppliedFile> applied;  ///< in the order of the patches
  std::vector<std::string> notes;    ///< hunks that applied at other lines than they say
};

/// Applies the patches one after another to copies; context must match exactly, its place may differ. `also` are
/// further files to copy. InputError, with the hunk, if one does not apply.
Application apply_patches(const SourceTree& tree, const std::vector<Patch>& patches,
                          const std::vector<std::string>& also);

}  // namespace iomc::check
