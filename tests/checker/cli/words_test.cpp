// SPDX-License-Identifier: GPL-2.0-or-later
#include "checker/cli/words.hpp"

#include <catch2/catch.hpp>

#include "checker/result.hpp"

namespace {

using iomc::cli::split_words;
using Words = std::vector<std::string>;

TEST_CASE("a line of the prompt is split as a shell splits it") {
  CHECK(split_words("").empty());
  CHECK(split_words("  \t ").empty());
  CHECK(split_words("check  P3\tP4") == Words{"check", "P3", "P4"});
  CHECK(split_words("ask 'min cpus where x'") == Words{"ask", "min cpus where x"});
  CHECK(split_words("a\"b \\\" c\"d") == Words{"ab \" cd"});
  CHECK(split_words("a\\ b ''") == Words{"a b", ""});
  CHECK(split_words("set a=1 # why") == Words{"set", "a=1"});
  CHECK(split_words("a#b") == Words{"a#b"});
  CHECK(split_words("# nothing").empty());
}

TEST_CASE("a quote that is not closed is refused") {
  CHECK_THROWS_AS(split_words("set 'a"), iomc::check::InputError);
  CHECK_THROWS_AS(split_words("\"a\\\""), iomc::check::InputError);
}

}  // namespace
