// SPDX-License-Identifier: GPL-2.0-or-later
// Plain text: what every writer needs to put words into lines.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace iomc::report {

/// The text in printable ASCII: known punctuation is spelled out, anything else that is not printable becomes '?'.
/// Reports go through serial consoles, mails and dmesg, where nothing more can be relied on.
std::string ascii(std::string_view text);

/// The text broken at spaces into lines of at most `width` characters; only a longer word is cut. Never empty.
std::vector<std::string> wrap(std::string_view text, std::size_t width);

/// `first` in front of the first line of the wrapped text, spaces of the same length in front of the others.
std::string hanging(const std::string& first, std::string_view text, std::size_t width);

std::string pad(std::string text, std::size_t width);

/// A word of a shell command: quoted where the shell would read it as anything else.
std::string shell_word(const std::string& word);

}  // namespace iomc::report
