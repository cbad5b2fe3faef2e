// SPDX-License-Identifier: GPL-2.0-or-later
#include <catch2/catch.hpp>

#include <set>

#include "checker/symbolic/paths.hpp"

using namespace iomc;
using namespace iomc::check::symbolic;

namespace {

struct Fixture {
  explicit Fixture(PathLimits limits = {}, SolverOptions options = {})
      : solver(terms, options), paths(solver, limits) {}

  std::size_t run(const std::function<void()>& body) {
    return paths.enumerate(choices, "a step", [&] {
      choices.restart();
      body();
    });
  }

  Terms terms;
  Solver solver;
  Paths paths;
  model::Choices choices;
};

}  // namespace

TEST_CASE("each feasible combination of branches is one path") {
  Fixture f;
  const auto x = f.terms.word<8>("x");
  std::multiset<std::string> seen;
  const auto n = f.run([&] {
    std::string path;
    path += x < 10 ? 'a' : 'b';
    path += x < 5 ? 'a' : 'b';
    path += x < 5 ? 'a' : 'b';  // asked again: no new path
    seen.insert(path);
  });
  CHECK(n == 3);
  CHECK(seen == std::multiset<std::string>{"aaa", "abb", "bbb"});
}

TEST_CASE("a path's condition leaves out what follows from the rest") {
  Fixture f;
  const auto x = f.terms.word<8>("x");
  f.solver.add(x < 4);
  std::vector<std::size_t> lengths;
  f.run([&] {
    if (x < 10) static_cast<void>(x == 1 && x < 3);
    lengths.push_back(f.paths.condition().size());
  });
  CHECK(lengths == std::vector<std::size_t>{1, 1});
}

TEST_CASE("a replayed prefix costs no solver call") {
  Fixture f;
  const auto x = f.terms.word<8>("x");
  const auto n = f.run([&] {
    for (unsigned i = 0; i < 8; ++i)
      if ((x & (1U << i)) == 0) continue;
  });
  CHECK(n == 256);
  // Each inner node of the tree of decisions is asked twice, once for each answer; and once before all.
  CHECK(f.solver.checks() == 1 + 2 * 255);
}

TEST_CASE("what the background excludes is not enumerated") {
  Fixture f;
  const auto x = f.terms.word<8>("x");
  f.solver.add(x < 3);
  f.solver.add(x > 3);
  CHECK(f.run([] {}) == 0);
}

TEST_CASE("index_of forks one path for each index") {
  Fixture f;
  const auto x = f.terms.word<8>("x");
  f.solver.add(x < 6);
  std::set<std::size_t> indices;
  CHECK(f.run([&] { indices.insert(index_of(x, 6)); }) == 6);
  CHECK(indices == std::set<std::size_t>{0, 1, 2, 3, 4, 5});
}

TEST_CASE("index_of covers a bound above the width's numbers") {
  Fixture f;
  const auto x = f.terms.word<8>("x");
  CHECK(f.run([&] { static_cast<void>(index_of(x, 1000)); }) == 256);
}

TEST_CASE("an index that may be outside is an internal error on its own path") {
  Fixture f;
  const auto x = f.terms.word<8>("x");
  f.solver.add(x <= 6);
  std::size_t broken = 0;
  CHECK(f.run([&] {
    try {
      static_cast<void>(index_of(x, 6));
    } catch (const model::InternalError&) {
      ++broken;
    }
  }) == 7);
  CHECK(broken == 1);
}

TEST_CASE("a loop with a symbolic bound forks once for each length") {
  Fixture f;
  const auto n = f.terms.word<8>("n");
  f.solver.add(n <= 5);
  std::set<unsigned> lengths;
  CHECK(f.run([&] {
    unsigned rounds = 0;
    for (unsigned i = 0; i < n; ++i) ++rounds;
    lengths.insert(rounds);
  }) == 6);
  CHECK(lengths == std::set<unsigned>{0, 1, 2, 3, 4, 5});
}

TEST_CASE("picks and branches are enumerated in whatever order they come") {
  Fixture f;
  const auto x = f.terms.word<8>("x");
  std::multiset<std::string> seen;
  const auto n = f.run([&] {
    std::string path;
    path += x < 10 ? 'a' : 'b';
    if (x < 10) path += std::to_string(f.choices.pick(2));
    path += x < 20 ? 'a' : 'b';
    path += std::to_string(f.choices.pick(path.back() == 'a' ? 3 : 1));
    if (x == 15) path += '!';
    seen.insert(path);
  });
  const std::multiset<std::string> expected{"a0a0", "a0a1", "a0a2", "a1a0", "a1a1", "a1a2",
                                            "ba0!", "ba0",  "ba1!", "ba1",  "ba2!", "ba2", "bb0"};
  CHECK(seen == expected);
  CHECK(n == expected.size());
}

TEST_CASE("the recorder is what it was after a step throws") {
  Fixture f;
  const auto x = f.terms.word<8>("x");
  CHECK(current_recorder() == nullptr);
  CHECK_THROWS_AS(f.run([&] {
                    CHECK(current_recorder() != nullptr);
                    if (x < 3 && x != 1) throw std::out_of_range("a step's own error");
                  }),
                  std::out_of_range);
  CHECK(current_recorder() == nullptr);
  // And the solver is as before: no decision of the broken run is left in it.
  CHECK(f.run([&] { static_cast<void>(x < 3 && x != 1); }) == 3);
}

TEST_CASE("an enumeration inside another gives the recorder back") {
  Fixture outer;
  Fixture inner;
  const auto x = outer.terms.word<8>("x");
  const auto y = inner.terms.word<8>("y");
  std::size_t within = 0;
  CHECK(outer.run([&] {
    if (x < 3) within += inner.run([&] { static_cast<void>(y < 3 && y < 2); });
    static_cast<void>(static_cast<bool>(x < 2));
  }) == 3);
  CHECK(within == 6);
}

TEST_CASE("too many paths end in an error that says what to do") {
  Fixture f({.paths = 10, .decisions = 4096, .questions = 1'000'000});
  const auto x = f.terms.word<8>("x");
  CHECK_THROWS_WITH(f.run([&] { static_cast<void>(index_of(x, 256)); }),
                    Catch::Contains("a step: more than 10 paths") && Catch::Contains("select"));
  CHECK(current_recorder() == nullptr);
}

TEST_CASE("exactly as many paths as the limit are no error") {
  Fixture f({.paths = 10, .decisions = 4096, .questions = 1'000'000});
  const auto x = f.terms.word<8>("x");
  f.solver.add(x < 10);
  CHECK(f.run([&] { static_cast<void>(index_of(x, 10)); }) == 10);
}

TEST_CASE("a loop without an end is an error, not a hang") {
  Fixture f({.paths = 2000, .decisions = 50, .questions = 1'000'000});
  CHECK_THROWS_WITH(f.run([&] {
                      for (std::string name = "x";; name += "x")
                        if (f.terms.word<64>(name) != 7) continue;
                    }),
                    Catch::Contains("more than 50 decisions on one path"));
}

TEST_CASE("a loop that asks the same for ever is an error too") {
  Fixture f;
  const auto x = f.terms.word<8>("x");
  CHECK_THROWS_WITH(f.run([&] {
                      while (x > 200) continue;
                    }),
                    Catch::Contains("conditions on one path") && Catch::Contains("declared range"));
}

TEST_CASE("a step that is not deterministic is refused") {
  Fixture f;
  const auto x = f.terms.word<8>("x");
  unsigned run = 0;
  CHECK_THROWS_WITH(f.run([&] {
                      if (x < 10 + run) static_cast<void>(static_cast<bool>(x < 5));
                      ++run;
                    }),
                    Catch::Contains("must be deterministic"));
}

TEST_CASE("a branch that the solver cannot decide is taken") {
  SolverOptions little;
  little.rlimit = 1;
  Fixture f({}, little);
  const auto x = f.terms.word<64>("x");
  const auto y = f.terms.word<64>("y");
  const auto n = f.run([&] { static_cast<void>(static_cast<bool>((x ^ y) + ((x & y) << 1) == x + y)); });
  CHECK(n == 2);  // the second one is infeasible: x + y is always that sum
}
