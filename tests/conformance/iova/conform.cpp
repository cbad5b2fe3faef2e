// SPDX-License-Identifier: GPL-2.0-or-later
// conform_iova_run: compares the specification with drivers/iommu/iova.c and lib/rbtree.c of a kernel tree, call by
// call. Without --tree: both source packages of Debian 12, each with half of the operations. Prints what was compared;
// status 1 at the first difference.
#include <fmt/format.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <random>
#include <string>

#include "checker/result.hpp"
#include "tests/conformance/iova/differential.hpp"

namespace {

using namespace iomc;
using conformance::Compared;
using conformance::Distribution;

struct Arguments {
  std::uint64_t operations = 10'000'000;
  std::uint64_t seed = 0;
  bool seeded = false;
  std::string tree;
  std::string kernel;
};

constexpr const char* usage =
    "usage: conform_iova_run [--operations N] [--seed N] [--tree DIR|TARBALL --kernel debian-6.1|debian-6.12]";

std::string source_package(const std::string& version) {
  const char* given = std::getenv("IOMC_LINUX_SOURCE_DIR");
  return std::string(given != nullptr ? given : "/usr/src") + "/linux-source-" + version + ".tar.xz";
}

Arguments parse(int argc, char** argv) {
  Arguments out;
  for (int i = 1; i < argc; i += 2) {
    const std::string name = argv[i];
    if (i + 1 == argc) throw check::InputError(std::string(usage));
    const std::string value = argv[i + 1];
    const bool number = !value.empty() && value.find_first_not_of("0123456789") == std::string::npos;
    if (name == "--operations" && number) out.operations = std::stoull(value);
    else if (name == "--seed" && number) out.seed = std::stoull(value), out.seeded = true;
    else if (name == "--tree") out.tree = value;
    else if (name == "--kernel") out.kernel = value;
    else throw check::InputError(std::string(usage));
  }
  if (out.tree.empty() != out.kernel.empty()) throw check::InputError(std::string(usage));
  if (!out.seeded) out.seed = std::random_device{}();
  return out;
}

void print(const Compared& c, const Distribution& d) {
  fmt::print("  {} operations on {} domains: ", c.operations, c.domains);
  for (std::size_t i = 0; i < d.calls.size(); ++i)
    fmt::print("{}{} {}", i == 0 ? "" : ", ", conformance::call_names[i], d.calls[i]);
  fmt::print("\n  {} phases; {} operations in rough ones; {} frees on another CPU; {} calls with failing memory\n",
             d.phases, d.rough, d.cross_frees, d.failing);
  fmt::print("  equal after each: results ({} failures), cached nodes, max32_alloc_size, {} locks, {} nodes visited "
             "({} second passes, {} from a node across the limit)\n",
             c.failures, c.locks, c.visits, c.second_passes, c.straddles);
  fmt::print("  whole state compared {} times; up to {} tree nodes and {} magazines in a depot; {} kernel warnings\n",
             c.full_states, c.most_nodes, c.most_depot, c.warnings);
}

bool compare(const std::string& kernel, const std::string& source, const Arguments& a, std::uint64_t operations) {
  const spec::iova::Kernel* facts = spec::iova::find_kernel(kernel);
  if (facts == nullptr) throw check::InputError("no such kernel: " + kernel);
  check::IovaCode code(check::SourceTree::open(source, check::iova_code_files()));
  fmt::print("{}, seed {}\n", kernel, a.seed);
  std::fflush(stdout);
  Distribution distribution;
  const Compared c = conformance::run_random(code, facts->facts, a.seed, operations, 1000, distribution);
  print(c, distribution);
  fmt::print("  {}\n", c.difference.empty() ? "no difference" : "DIFFERENCE: " + c.difference);
  return c.difference.empty();
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const Arguments a = parse(argc, argv);
    if (!a.tree.empty()) return compare(a.kernel, a.tree, a, a.operations) ? 0 : 1;
    bool same = true;
    for (const char* version : {"6.1", "6.12"})
      same = compare(std::string("debian-") + version, source_package(version), a, a.operations / 2) && same;
    return same ? 0 : 1;
  } catch (const check::InputError& e) {
    std::cerr << "conform_iova_run: " << e.what() << '\n';
    return 129;
  }
}
