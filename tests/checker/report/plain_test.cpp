// SPDX-License-Identifier: GPL-2.0-or-later
#include <catch2/catch.hpp>

#include "checker/report/plain.hpp"

using namespace iomc::report;

TEST_CASE("known punctuation is spelled out, everything else that is not ASCII is a question mark") {
  CHECK(ascii("cpus=2 \xe2\x80\xa6") == "cpus=2 ...");
  CHECK(ascii("a \xe2\x86\x92 b") == "a -> b");
  CHECK(ascii("\xc3\xbc\xf0\x9f\x98\x80x") == "??x");
  CHECK(ascii("a\x1b[31mb\nc\x7f") == "a?[31mb c?");
  CHECK(ascii("\xff\xfe") == "??");
}

TEST_CASE("text is broken at spaces, and only a word that is too long is cut") {
  CHECK(wrap("one two three", 7) == std::vector<std::string>{"one two", "three"});
  CHECK(wrap("abcdefghij", 4) == std::vector<std::string>{"abcd", "efgh", "ij"});
  CHECK(wrap("a  ", 1) == std::vector<std::string>{"a"});
  CHECK(wrap("", 10) == std::vector<std::string>{""});
  CHECK(wrap("x y", 0) == std::vector<std::string>{"x", "y"});
}

TEST_CASE("hanging lines up the continuation") {
  CHECK(hanging("why: ", "one two three four five", 25) == "why: one two three four\n     five\n");
  CHECK(hanging("why: ", "", 25) == "why:\n");
}

TEST_CASE("words of a shell command are quoted where the shell would take them apart") {
  CHECK(shell_word("cpus=2") == "cpus=2");
  CHECK(shell_word("my tree") == "'my tree'");
  CHECK(shell_word("it's") == "'it'\\''s'");
  CHECK(shell_word("") == "''");
}
