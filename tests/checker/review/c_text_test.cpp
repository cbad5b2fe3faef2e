// SPDX-License-Identifier: GPL-2.0-or-later
#include "checker/review/c_text.hpp"

#include <catch2/catch.hpp>

#include "checker/process.hpp"
#include "checker/result.hpp"
#include "tests/checker/review/source_packages.hpp"

using namespace iomc::check;

namespace {

bool same(const std::string& a, const std::string& b) { return same_code(tokenize(a).tokens, tokenize(b).tokens); }

std::optional<std::uint64_t> value(const std::string& expression, const std::string& macros = "") {
  return evaluate(tokenize(expression).tokens, object_macros(tokenize(macros).tokens));
}

}  // namespace

TEST_CASE("comments and blanks are no code; everything else is") {
  CHECK(same("int f(void)\n{\n\treturn 1; /* x */\n}\n", "int f(void) { return 1; } // y"));
  CHECK_FALSE(same("int x", "intx"));
  CHECK_FALSE(same("a + +b", "a ++b"));
  CHECK_FALSE(same("#define A\n1", "#define A 1\n"));
  CHECK(same("#define A \\\n 1\n", "#define A 1\n"));
  CHECK_FALSE(same("f(\"a /* b */\")", "f(\"a \")"));
}

TEST_CASE("a line is told the function or the definition it is in") {
  const std::string text =
      "#define SIZE 4\nstruct s {\n\tint a;\n};\nDEFINE_MUTEX_LIKE(m)\nstatic int *\nfirst(int a,\n      int "
      "b)\n{\n\treturn 0;\n}\n"
      "void second(void) __releases(lock)\n{\n}\nint table[] = {\n\t1,\n};\n";
  const auto all = regions(tokenize(text).tokens);
  const auto at = [&](unsigned line) {
    const Region* r = region_at(all, line);
    return r == nullptr ? std::string() : r->name;
  };
  CHECK(at(1) == "SIZE");
  CHECK(at(3) == "s");
  CHECK(at(7) == "first");
  CHECK(at(10) == "first");
  CHECK(at(13) == "second");
  CHECK(at(16) == "table");
}

TEST_CASE("constants are computed as C does") {
  CHECK(value("127") == 127u);
  CHECK(value("(1UL << 7)") == 128u);
  CHECK(value("0x10 + 010") == 24u);
  CHECK(value("A * 2", "#define A (B - 1)\n#define B 6") == 10u);
  CHECK_FALSE(value("A", "#define A A"));
  CHECK_FALSE(value("1 - 2"));
  CHECK_FALSE(value("1 / 0"));
  CHECK_FALSE(value("sizeof(x)"));
  CHECK_FALSE(value(""));
}

TEST_CASE("a process is run without a shell, and a missing one is named with its package") {
  const ProcessResult r =
      run_process({.argv = {"cat"}, .package = {}, .directory = {}, .input = std::string(1 << 20, 'x')});
  CHECK(r.status == 0);
  CHECK(r.out.size() == (1u << 20));
  CHECK(run_process({.argv = {"echo", "$HOME; true"}, .package = {}, .directory = {}, .input = {}}).out ==
        "$HOME; true\n");
  CHECK(run_process({.argv = {"false"}, .package = {}, .directory = {}, .input = "unread"}).status == 1);
  CHECK(run_process({.argv = {"sleep", "60"}, .package = {}, .directory = {}, .input = {}, .limit_seconds = 0.2})
            .timed_out);
  CHECK_THROWS_WITH(run_process({.argv = {"no-such-program-1"}, .package = "coccinelle", .directory = {}, .input = {}}),
                    "no-such-program-1 is not installed: apt-get install coccinelle");
  CHECK_THROWS_AS(run_process({.argv = {"cat"}, .package = {}, .directory = "/nowhere/at/all", .input = {}}),
                  InputError);
  CHECK_THROWS_WITH(run_checked({.argv = {"ls", "/nowhere/at/all"}, .package = {}, .directory = {}, .input = {}}),
                    Catch::Matchers::Contains("ls failed with status 2"));
}
