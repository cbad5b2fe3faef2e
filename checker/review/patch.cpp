// SPDX-License-Identifier: GPL-2.0-or-later
// Reading patches.
#include "checker/review/patch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <optional>
#include <set>

#include "checker/result.hpp"
#include "checker/review/c_text.hpp"

namespace iomc::check {

namespace {

[[noreturn]] void fail(const std::string& source, std::size_t line, const std::string& what) {
  throw InputError(fmt::format("{}:{}: {}", source, line, what));
}

/// A stretch of lines that holds one patch: the whole text, or the body of one mail.
struct Piece {
  std::size_t first = 0;  ///< index of its first line
  std::size_t last = 0;   ///< one past the end
  std::string subject;
};

class PatchParser {
 public:
  PatchParser(const std::vector<std::string_view>& lines, const Piece& piece, const std::string& source)
      : lines_(lines), at_(piece.first), end_(piece.last), source_(source) {
    patch_.source = source;
    patch_.subject = piece.subject;
  }

  Patch run() {
    while (at_ < end_) step();
    finish_file();
    return std::move(patch_);
  }

 private:
  std::string_view line(std::size_t i) const { return i < end_ ? lines_[i] : std::string_view(); }
  std::size_t number() const { return at_ + 1; }

  void step() {
    const std::string_view l = line(at_);
    if (l.starts_with("diff --git ")) {
      finish_file();
      file_.emplace();
      file_->line = static_cast<unsigned>(number());
      git_ = true;
      ++at_;
    } else if (l.starts_with("--- ") && line(at_ + 1).starts_with("+++ ")) {
      names();
    } else if (l.starts_with("@@ -") || (l.starts_with("@@") && file_ && named_)) {
      hunk();
    } else {
      if (file_ && git_) git_header(l);
      ++at_;
    }
  }

  void finish_file() {
    if (file_) {
      const bool anything = named_ || !file_->old_path.empty() || !file_->new_path.empty();
      if (named_ && file_->hunks.empty())
        fail(source_, file_->line, "no hunk follows the file names: the patch is cut off");
      if (anything) patch_.files.push_back(std::move(*file_));
    }
    file_.reset();
    named_ = git_ = false;
  }

  void git_header(std::string_view l) {
    if (l.starts_with("rename from ")) file_->old_path = l.substr(12), file_->prefixed = true;
    if (l.starts_with("rename to ")) file_->new_path = l.substr(10), file_->prefixed = true;
    if (l.starts_with("copy from "))
      fail(source_, number(), "a patch that copies a file is not supported: make it with git diff --no-renames");
    if (l.ends_with("mode 120000") || l.ends_with("mode 160000"))
      fail(source_, number(), "a patch that makes a link or a submodule is refused: there is no code in it");
    if (l.starts_with("GIT binary patch") || l.starts_with("Binary files "))
      fail(source_, number(), "a binary patch: only text can be reviewed; leave that file out");
    for (const std::string& p : {file_->old_path, file_->new_path})
      if (!p.empty()) check_path(p);
  }

  void check_path(const std::string& path) {
    if (const std::string why = unsafe_path(path); !why.empty())
      fail(source_, number(), fmt::format("the path \"{}\" {}: a patch must stay inside the tree", path, why));
  }

  /// The name on a "---" or "+++" line: up to a tab, as diff puts a time behind it.
  std::string name_on(std::string_view l, char prefix) {
    std::string_view name = l.substr(4);
    name = name.substr(0, name.find('\t'));
    while (!name.empty() && name.back() == ' ') name.remove_suffix(1);
    if (name == "/dev/null") return {};
    if (!name.empty() && name.front() == '"')
      fail(source_, number(), "a quoted file name is not supported: rename the file");
    if (name.size() > 2 && name[0] == prefix && name[1] == '/') {
      file_->prefixed = true;
      name.remove_prefix(2);
    }
    const std::string out(name);
    check_path(out);
    return out;
  }

  void names() {
    if (named_ || !file_ || !git_) {
      finish_file();
      file_.emplace();
      file_->line = static_cast<unsigned>(number());
    }
    file_->old_path = name_on(line(at_), 'a');
    ++at_;
    file_->new_path = name_on(line(at_), 'b');
    if (file_->old_path.empty() && file_->new_path.empty()) fail(source_, number(), "both names are /dev/null");
    ++at_;
    named_ = true;
  }

  /// "12" or "12,3".
  static bool parse_range(std::string_view text, unsigned& start, unsigned& count) {
    const char* end = text.data() + text.size();
    const auto first = std::from_chars(text.data(), end, start);
    count = 1;
    if (first.ec != std::errc{}) return false;
    if (first.ptr == end) return true;
    if (*first.ptr != ',') return false;
    const auto second = std::from_chars(first.ptr + 1, end, count);
    return second.ec == std::errc{} && second.ptr == end && count < 1'000'000;
  }

  bool parse_header(std::string_view l, Hunk& h) const {
    if (!l.starts_with("@@ -")) return false;
    const auto plus = l.find(" +", 4);
    const auto close = l.find(" @@", 4);
    if (plus == std::string_view::npos || close == std::string_view::npos || close < plus) return false;
    return parse_range(l.substr(4, plus - 4), h.old_start, h.old_count) &&
           parse_range(l.substr(plus + 2, close - plus - 2), h.new_start, h.new_count);
  }

  void hunk() {
    if (!file_ || !named_) fail(source_, number(), "a hunk before any \"---\" and \"+++\" lines: add the file names");
    Hunk h;
    h.line = static_cast<unsigned>(number());
    if (!parse_header(line(at_), h))
      fail(source_, number(),
           fmt::format("broken hunk header \"{}\": it must read @@ -START,COUNT +START,COUNT @@", line(at_)));
    ++at_;
    unsigned old_seen = 0, new_seen = 0;
    while (old_seen < h.old_count || new_seen < h.new_count) body_line(h, old_seen, new_seen);
    if (line(at_).starts_with("\\")) end_marker(h);
    const std::string_view next = line(at_);
    // Left alone, such lines would be changes that nobody applied and nobody reviewed.
    const bool more =
        next.starts_with("+") || next.starts_with(" ") || (next.starts_with("-") && !next.starts_with("--"));
    if (more)
      fail(source_, number(),
           fmt::format("more lines than the hunk header in line {} says: the patch was edited", h.line));
    file_->hunks.push_back(std::move(h));
  }

  void body_line(Hunk& h, unsigned& old_seen, unsigned& new_seen) {
    if (at_ >= end_) fail(source_, h.line, "the hunk ends early: the patch is cut off");
    const std::string_view l = line(at_);
    if (l.starts_with("\\")) return end_marker(h);
    const char kind = l.empty() ? ' ' : l.front();
    if (kind != ' ' && kind != '-' && kind != '+')
      fail(source_, number(),
           fmt::format("neither context nor change, in the hunk of line {}: the mail wrapped it", h.line));
    if (kind != '+' && ++old_seen > h.old_count) mismatch(h);
    if (kind != '-' && ++new_seen > h.new_count) mismatch(h);
    h.lines.push_back({kind, std::string(l.empty() ? l : l.substr(1)), false});
    ++at_;
  }

  [[noreturn]] void mismatch(const Hunk& h) {
    fail(source_, number(),
         fmt::format("other lines than the hunk header in line {} says: the patch was edited", h.line));
  }

  /// "\ No newline at end of file"
  void end_marker(Hunk& h) {
    if (h.lines.empty()) fail(source_, number(), "a line-end remark before any line of the hunk");
    h.lines.back().no_newline = true;
    ++at_;
  }

  const std::vector<std::string_view>& lines_;
  std::size_t at_;
  std::size_t end_;
  const std::string& source_;
  Patch patch_;
  std::optional<FilePatch> file_;
  bool named_ = false;  ///< the "---" and "+++" lines were there
  bool git_ = false;
};

/// "From <who> <date with a time>", as mboxes begin each mail.
bool begins_mail(std::string_view l) {
  if (!l.starts_with("From ")) return false;
  const auto colon = l.find(':');
  return colon != std::string_view::npos && colon + 3 < l.size() && l[colon + 3] == ':' &&
         std::isdigit(static_cast<unsigned char>(l[colon + 1])) != 0;
}

bool starts_with_word(std::string_view l, std::string_view word) {
  return l.size() >= word.size() && std::equal(word.begin(), word.end(), l.begin(), [](char a, char b) {
           return std::tolower(static_cast<unsigned char>(a)) == std::tolower(static_cast<unsigned char>(b));
         });
}

/// Reads the headers of the mail that begins at `first`; the piece begins behind them.
Piece read_headers(const std::vector<std::string_view>& lines, std::size_t first, std::size_t last,
                   const std::string& source) {
  Piece out{first, last, {}};
  bool subject = false;
  std::size_t i = begins_mail(lines[first]) ? first + 1 : first;
  for (; i < last && !lines[i].empty(); ++i) {
    const std::string_view l = lines[i];
    const bool folded = l.front() == ' ' || l.front() == '\t';
    if (folded && subject) out.subject.append(1, ' ').append(l.substr(std::min(l.find_first_not_of(" \t"), l.size())));
    if (!folded) subject = starts_with_word(l, "Subject: ");
    if (!folded && subject) out.subject = l.substr(9);
    if (starts_with_word(l, "Content-Transfer-Encoding: quoted-printable") ||
        starts_with_word(l, "Content-Transfer-Encoding: base64"))
      fail(source, i + 1,
           "the mail is encoded: decode it first (git mailinfo msg patch < mail, or git am and format-patch)");
  }
  out.first = i;
  return out;
}

std::vector<Piece> split(const std::vector<std::string_view>& lines, const std::string& source) {
  std::vector<std::size_t> begins;
  for (std::size_t i = 0; i < lines.size(); ++i)
    if (begins_mail(lines[i]) && (i == 0 || lines[i - 1].empty())) begins.push_back(i);
  std::vector<Piece> out;
  if (begins.empty()) {
    const bool mail =
        !lines.empty() && (starts_with_word(lines[0], "From: ") || starts_with_word(lines[0], "Subject: ") ||
                           starts_with_word(lines[0], "Return-Path: ") || starts_with_word(lines[0], "Received: "));
    out.push_back(mail ? read_headers(lines, 0, lines.size(), source) : Piece{0, lines.size(), {}});
    return out;
  }
  for (std::size_t b = 0; b < begins.size(); ++b) {
    const std::size_t last = b + 1 < begins.size() ? begins[b + 1] : lines.size();
    Piece piece = read_headers(lines, begins[b], last, source);
    if (!starts_with_word(piece.subject, "Re:")) out.push_back(std::move(piece));
  }
  return out;
}

/// The place of a mail in its series, from "[PATCH v2 3/5]".
struct SeriesPlace {
  unsigned version = 1;
  unsigned number = 0;
  unsigned total = 0;
};

std::optional<SeriesPlace> series_place(const std::string& subject) {
  const auto open = subject.find('['), close = subject.find(']');
  if (open == std::string::npos || close == std::string::npos || close < open) return std::nullopt;
  const std::string tag = subject.substr(open + 1, close - open - 1);
  SeriesPlace out;
  const auto slash = tag.find('/');
  if (slash == std::string::npos) return std::nullopt;
  std::size_t begin = slash;
  while (begin > 0 && std::isdigit(static_cast<unsigned char>(tag[begin - 1])) != 0) --begin;
  const char* end = tag.data() + tag.size();
  if (std::from_chars(tag.data() + begin, end, out.number).ec != std::errc{}) return std::nullopt;
  if (std::from_chars(tag.data() + slash + 1, end, out.total).ec != std::errc{}) return std::nullopt;
  for (std::size_t v = 0; v + 1 < begin; ++v)
    if ((tag[v] == 'v' || tag[v] == 'V') && (v == 0 || tag[v - 1] == ' '))
      std::from_chars(tag.data() + v + 1, end, out.version);
  return out;
}

/// A mailbox holds mails in the order they came in; the subjects say the order they are meant in.
void sort_series(std::vector<Patch>& patches, const std::string& source) {
  std::set<unsigned> numbers, versions, totals;
  for (const Patch& p : patches) {
    const auto place = series_place(p.subject);
    if (!place) return;
    if (!numbers.insert(place->number).second && versions.count(place->version) != 0) return;
    versions.insert(place->version);
    totals.insert(place->total);
  }
  if (versions.size() > 1)
    throw InputError(fmt::format("{}: holds versions {} and {} of a series: keep one", source, *versions.begin(),
                                 *versions.rbegin()));
  if (totals.size() > 1) return;
  std::stable_sort(patches.begin(), patches.end(), [](const Patch& a, const Patch& b) {
    return series_place(a.subject)->number < series_place(b.subject)->number;
  });
}

void check_text(std::string_view text, const std::string& source) {
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos)
    throw InputError(source + ": is empty: give a patch, a mail or an mbox");
  const auto line_at = [&](std::size_t i) {
    return 1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(i), '\n');
  };
  if (const auto nul = text.find('\0'); nul != std::string_view::npos)
    fail(source, static_cast<std::size_t>(line_at(nul)),
         "binary data, no patch: give a unified diff, a mail or an mbox");
  if (const auto cr = text.find("\r\n"); cr != std::string_view::npos)
    fail(source, static_cast<std::size_t>(line_at(cr)),
         "CRLF line ends, as damaged mails have: convert the file with dos2unix");
}

}  // namespace

std::vector<Patch> read_patches(std::string_view text, const std::string& source) {
  check_text(text, source);
  const std::vector<std::string_view> lines = lines_of(text);
  std::vector<Patch> out;
  for (const Piece& piece : split(lines, source)) {
    Patch patch = PatchParser(lines, piece, source).run();
    if (!patch.files.empty()) out.push_back(std::move(patch));
  }
  if (out.empty()) throw InputError(source + ": no unified diff in it: make one with git format-patch or diff -u");
  sort_series(out, source);
  return out;
}

std::vector<std::string> paths_named(const std::vector<Patch>& patches) {
  std::set<std::string> out;
  const auto add = [&](const std::string& path, bool prefixed) {
    if (path.empty()) return;
    out.insert(path);
    const auto slash = path.find('/');
    if (!prefixed && slash != std::string::npos) out.insert(path.substr(slash + 1));
  };
  for (const Patch& p : patches)
    for (const FilePatch& f : p.files) {
      add(f.old_path, f.prefixed);
      if (!f.old_path.empty()) add(f.new_path, f.prefixed);
    }
  return {out.begin(), out.end()};
}

}  // namespace iomc::check
