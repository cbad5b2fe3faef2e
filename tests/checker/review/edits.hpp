// SPDX-License-Identifier: GPL-2.0-or-later
// Changes of kernel files for tests: by text, by semantic patch, and as unified diffs.
#pragma once

#include <catch2/catch.hpp>
#include <string>

#include "checker/process.hpp"
#include "checker/review/c_text.hpp"
#include "checker/review/source_tree.hpp"

namespace iomc::check::testing {

/// The text with its only occurrence of `from` replaced.
inline std::string edited(std::string text, const std::string& from, const std::string& to) {
  const auto at = text.find(from);
  INFO("text to replace: " << from);
  REQUIRE(at != std::string::npos);
  REQUIRE(text.find(from, at + 1) == std::string::npos);
  return text.replace(at, from.size(), to);
}

/// The text with all occurrences replaced; there is at least one.
inline std::string edited_everywhere(std::string text, const std::string& from, const std::string& to) {
  INFO("text to replace: " << from);
  REQUIRE(text.find(from) != std::string::npos);
  for (auto at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
  return text;
}

/// The files after a semantic patch.
inline FileTexts patched(const FileTexts& files, const std::filesystem::path& semantic_patch) {
  const TemporaryDirectory scratch;
  Command spatch{.argv = {"spatch", "--very-quiet", "--no-includes", "--in-place", "--sp-file",
                          std::filesystem::absolute(semantic_patch).string()},
                 .package = "coccinelle",
                 .directory = scratch.path(),
                 .input = {}};
  for (const auto& [name, text] : files) {
    write_file(scratch.path() / name, text);
    spatch.argv.push_back(name);
  }
  const ProcessResult r = run_process(spatch);
  INFO(r.err);
  REQUIRE(r.status == 0);
  FileTexts out;
  for (const auto& [name, text] : files) out[name] = read_file(scratch.path() / name);
  REQUIRE(out != files);
  return out;
}

/// The unified diff between two sets of files, as git would print it.
inline std::string diff(const FileTexts& before, const FileTexts& after) {
  const TemporaryDirectory scratch;
  std::string out;
  for (const auto& [name, text] : before) {
    if (after.at(name) == text) continue;
    write_file(scratch.path() / "a", text);
    write_file(scratch.path() / "b", after.at(name));
    const ProcessResult r =
        run_process({.argv = {"diff", "-u", "-p", "--label", "a/" + name, "--label", "b/" + name, "a", "b"},
                     .package = "diffutils",
                     .directory = scratch.path(),
                     .input = {}});
    REQUIRE(r.status == 1);
    out += r.out;
  }
  return out;
}

inline std::filesystem::path test_data(const std::string& name) { return std::filesystem::path(IOMC_TEST_DATA) / name; }
inline std::filesystem::path example(const std::string& name) { return std::filesystem::path(IOMC_EXAMPLES) / name; }

/// The file of a kernel that is at hand only as a shape: the base file with the functions of a second one in place of
/// its own.
inline std::string combined(const std::string& base, const std::string& newer) {
  const Tokens b = tokenize(base), n = tokenize(newer);
  const std::vector<Region> replacements = regions(n.tokens), originals = regions(b.tokens);
  const auto replaced = [&](unsigned line) {
    const Region* r = region_at(originals, line);
    if (r == nullptr) return false;
    for (const Region& with : replacements)
      if (with.name == r->name) return true;
    return false;
  };
  std::string out;
  unsigned number = 0;
  for (const std::string_view line : lines_of(base))
    if (!replaced(++number)) out.append(line).append("\n");
  return out + newer;
}

/// The file without one of its functions.
inline std::string without(const std::string& text, const std::string& function) {
  const std::vector<Region> all = regions(tokenize(text).tokens);
  std::string out;
  unsigned number = 0;
  for (const std::string_view line : lines_of(text)) {
    const Region* r = region_at(all, ++number);
    if (r == nullptr || r->name != function) out.append(line).append("\n");
  }
  REQUIRE(out != text);
  return out;
}

/// The drivers of an old kernel. Both had lost their own queues by 4.15.
inline void add_drivers(FileTexts& out, const std::string& version) {
  std::string intel = read_file(test_data("shapes/intel_413.c"));
  std::string amd = read_file(test_data("shapes/amd_412.c"));
  if (version == "4.15") {
    intel = edited(without(intel, "add_unmap"), "add_unmap(dom, ", "queue_iova(&dom->iovad, ");
    amd = edited(without(amd, "queue_add"), "queue_add(dom, addr", "queue_iova(&dom->iovad, IOVA_PFN(addr)");
  } else {
    amd = edited(amd, "\tif (mine->next == FLUSH_QUEUE_SIZE)\n\t\t__queue_flush(mine);\n", "");
    amd = edited(amd, "\tspin_unlock_irqrestore(&mine->lock, irq);\n",
                 "\tmine->entries[0].counter = atomic64_read(&dom->flush_start_cnt);\n"
                 "\tspin_unlock_irqrestore(&mine->lock, irq);\n");
  }
  out["drivers/iommu/intel-iommu.c"] = intel;
  out["drivers/iommu/amd_iommu.c"] = amd;
  out["drivers/iommu/iommu.c"] = read_file(test_data("shapes/iommu_413.c"));
}

/// The shape of an old kernel: "4.13" or "4.15".
inline FileTexts shape(const std::string& version) {
  FileTexts out;
  add_drivers(out, version);
  const std::string base = read_file(test_data("shapes/iova_413.c"));
  out["drivers/iommu/dma-iommu.c"] = read_file(test_data("shapes/dma_413.c"));
  out["drivers/iommu/iova.c"] =
      version == "4.13" ? base : combined(base, read_file(test_data("shapes/iova_415_tail.c")));
  if (version != "4.13") {
    std::string& dma = out["drivers/iommu/dma-iommu.c"];
    dma = edited(dma, "DMA_BIT_MASK(32) >> bits)", "DMA_BIT_MASK(32) >> bits, false)");
    dma = edited(dma, "mask >> bits)", "mask >> bits, true)");
  }
  return out;
}

}  // namespace iomc::check::testing
