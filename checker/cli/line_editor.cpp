// SPDX-License-Identifier: GPL-2.0-or-later
// The only file that sees libedit.
#include "checker/cli/line_editor.hpp"

#include <histedit.h>
#include <unistd.h>

#include <algorithm>
#include <clocale>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <iostream>

#include "checker/cli/interrupt.hpp"

namespace iomc::cli {

namespace {

constexpr int kept_lines = 1000;

const char* prompt_text(EditLine*) { return const_cast<char*>("iomc> "); }

std::string common_start(const std::vector<std::string>& words) {
  std::string out = words.front();
  for (const auto& w : words) {
    const auto differ = std::mismatch(out.begin(), out.end(), w.begin(), w.end());
    out.erase(differ.first, out.end());
  }
  return out;
}

}  // namespace

struct LineEditor::Terminal {
  EditLine* edit = nullptr;
  History* history = nullptr;
  std::string file;
  Completer complete;

  static Terminal& of(EditLine* e) {
    void* self = nullptr;
    el_get(e, EL_CLIENTDATA, &self);
    return *static_cast<Terminal*>(self);
  }

  /// What is common to all words that fit is put in; several are listed.
  static unsigned char on_tab(EditLine* e, int) {
    Terminal& self = of(e);
    const LineInfo* info = el_line(e);
    const std::string line(info->buffer, info->cursor);
    const std::string word = line.substr(line.find_last_of(" \t") + 1);
    std::vector<std::string> fitting;
    for (auto& w : self.complete(line))
      if (w.starts_with(word)) fitting.push_back(std::move(w));
    if (fitting.empty()) return CC_REFRESH_BEEP;
    std::string more = common_start(fitting).substr(word.size());
    if (fitting.size() == 1) more += ' ';
    if (!more.empty() && el_insertstr(e, more.c_str()) == -1) return CC_REFRESH_BEEP;
    if (fitting.size() == 1 || !more.empty()) return CC_REFRESH;
    std::printf("\n");
    for (const auto& w : fitting) std::printf("%s  ", w.c_str());
    std::printf("\n");
    std::fflush(stdout);
    return CC_REDISPLAY;
  }

  Terminal(std::string history_file, Completer c) : file(std::move(history_file)), complete(std::move(c)) {
    std::setlocale(LC_CTYPE, "");
    edit = el_init("iomc", stdin, stdout, stderr);
    history = history_init();
    HistEvent event;
    ::history(history, &event, H_SETSIZE, kept_lines);
    ::history(history, &event, H_SETUNIQUE, 1);
    if (!file.empty()) ::history(history, &event, H_LOAD, file.c_str());
    el_set(edit, EL_CLIENTDATA, this);
    el_set(edit, EL_EDITOR, "emacs");
    el_set(edit, EL_SIGNAL, 1);
    el_set(edit, EL_PROMPT, &prompt_text);
    el_set(edit, EL_HIST, ::history, history);
    el_set(edit, EL_ADDFN, "iomc-complete", "Completes a word", &Terminal::on_tab);
    el_set(edit, EL_BIND, "^I", "iomc-complete", nullptr);
    el_set(edit, EL_BIND, "^R", "em-inc-search-prev", nullptr);
    el_source(edit, nullptr);
  }
  ~Terminal() {
    HistEvent event;
    if (!file.empty()) ::history(history, &event, H_SAVE, file.c_str());
    history_end(history);
    el_end(edit);
  }

  std::optional<std::string> line() {
    int count = 0;
    const char* text = el_gets(edit, &count);
    if (text == nullptr || count <= 0) {
      if (!interrupted().load()) return std::nullopt;
      clear_interrupt();
      el_reset(edit);
      std::printf("\n");
      return std::string();
    }
    std::string out(text, static_cast<std::size_t>(count));
    while (!out.empty() && (out.back() == '\n' || out.back() == '\r')) out.pop_back();
    if (out.find_first_not_of(" \t") != std::string::npos) {
      HistEvent event;
      ::history(history, &event, H_ENTER, out.c_str());
    }
    return out;
  }
};

LineEditor::LineEditor(std::string history_file, Completer complete) {
  if (isatty(STDIN_FILENO) != 0 && isatty(STDOUT_FILENO) != 0)
    terminal_ = std::make_unique<Terminal>(std::move(history_file), std::move(complete));
}

LineEditor::~LineEditor() = default;

bool LineEditor::interactive() const { return terminal_ != nullptr; }

std::optional<std::string> LineEditor::line() {
  if (terminal_) return terminal_->line();
  std::string out;
  if (!std::getline(std::cin, out)) return std::nullopt;
  if (!out.empty() && out.back() == '\r') out.pop_back();
  return out;
}

std::string history_file() {
  const char* state = std::getenv("XDG_STATE_HOME");
  const char* home = std::getenv("HOME");
  std::filesystem::path folder;
  if (state != nullptr && *state == '/')
    folder = state;
  else if (home != nullptr && *home == '/')
    folder = std::filesystem::path(home) / ".local" / "state";
  else
    return {};
  folder /= "iomc";
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  return error ? std::string() : (folder / "history").string();
}

}  // namespace iomc::cli
