// SPDX-License-Identifier: GPL-2.0-or-later
// Lines for the prompt: edited, with history and completion, where both ends are a terminal; as they come elsewhere.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace iomc::cli {

/// The words that may stand where the last word of `line` stands; it may be empty or half of one.
using Completer = std::function<std::vector<std::string>(const std::string& line)>;

class LineEditor {
 public:
  /// The history is kept in `history_file` from one session to the next; empty: it is not.
  LineEditor(std::string history_file, Completer complete);
  ~LineEditor();
  LineEditor(const LineEditor&) = delete;
  LineEditor& operator=(const LineEditor&) = delete;

  bool interactive() const;

  /// The next line without its end; nothing at the end of the input. An interrupt gives an empty line.
  std::optional<std::string> line();

 private:
  struct Terminal;
  std::unique_ptr<Terminal> terminal_;
};

/// $XDG_STATE_HOME/iomc/history or ~/.local/state/iomc/history, its folder made; empty if there can be none.
std::string history_file();

}  // namespace iomc::cli
