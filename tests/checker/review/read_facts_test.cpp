// SPDX-License-Identifier: GPL-2.0-or-later
#include "checker/review/read_facts.hpp"

#include <catch2/catch.hpp>
#include <chrono>

#include "tests/checker/review/edits.hpp"
#include "tests/checker/review/fake_system.hpp"
#include "tests/checker/review/source_packages.hpp"

using namespace iomc::check;
using namespace iomc::check::testing;

namespace {

const std::string iova_c = "drivers/iommu/iova.c";
const std::string dma_c = "drivers/iommu/dma-iommu.c";

/// Every difference in words, so that a failing test says what to look at.
std::string differences(const FactReading& read, const std::vector<NamedValue>& expected) {
  std::string out;
  for (const auto& [name, value] : expected) {
    const FactRead* f = read.find(name);
    const std::string got = f == nullptr ? "not read at all" : f->value.value_or("unknown");
    if (got != value)
      out += name + ": expected " + value + ", read " + got + " (" + (f == nullptr ? "" : f->where) + ")\n";
  }
  return out;
}

std::vector<NamedValue> with(std::vector<NamedValue> facts, const std::vector<NamedValue>& changes) {
  for (const NamedValue& c : changes)
    for (NamedValue& f : facts)
      if (f.first == c.first) f.second = c.second;
  return facts;
}

/// The facts of 6.12 with one file edited.
FactReading read_edited(const std::string& file, const std::string& from, const std::string& to) {
  FileTexts files = kernel("6.12");
  files[file] = edited(files[file], from, to);
  return read_facts(files, FakeIova());
}

std::string changed_facts(const FactReading& read) { return differences(read, FakeIova().facts("debian-6.12")); }

}  // namespace

TEST_CASE("the facts of the two Debian kernels are the built-in ones") {
  const FakeIova system;
  for (const std::string version : {"6.1", "6.12"}) {
    const FileTexts& files = kernel(version);
    const auto begun = std::chrono::steady_clock::now();
    const FactReading read = read_facts(files, system);
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begun;
    INFO(to_text(read));
    CHECK(differences(read, system.facts("debian-" + version)) == "");
    CHECK(read.complete());
    WARN("facts of " << version << " read in " << took.count() << " s");
    CHECK(took.count() < 20);
    for (const FactRead& f : read.facts) {
      INFO(f.name << " at " << f.where);
      CHECK(f.line > 0);
    }
  }
}

TEST_CASE("a source package is read as the directory in it is, and leaves nothing behind") {
  const FakeIova system;
  const FactReading from_package = read_facts(package("6.1"), system);
  CHECK(differences(from_package, system.facts("debian-6.1")) == "");
  const TemporaryDirectory tree;
  make_tree(tree.path(), kernel("6.1"));
  CHECK(to_text(read_facts(tree.path(), system)) == to_text(from_package));
}

TEST_CASE("older layouts are read too") {
  const FakeIova system;
  SECTION("4.13: one cached node, no flag, no flush queue") {
    CHECK(differences(read_facts(shape("4.13"), system), system.facts("4.13")) == "");
  }
  SECTION("4.12: inclusive limits, preemption off") {
    FileTexts f = shape("4.13");
    f[iova_c] = edited(f[iova_c], "end + 1, fresh", "end, fresh");
    f[iova_c] = edited(f[iova_c], "*end = near->pfn_lo;", "*end = near->pfn_lo - 1;");
    f[iova_c] = edited(f[iova_c], "end = here->pfn_lo;", "end = here->pfn_lo - 1;");
    f[iova_c] = edited_everywhere(f[iova_c], "raw_cpu_ptr", "get_cpu_ptr");
    f["drivers/iommu/amd_iommu.c"] = read_file(test_data("shapes/amd_412.c"));
    CHECK(differences(read_facts(f, system), system.facts("4.12")) == "");
  }
  SECTION("4.15: an anchor, the flag, and the flush queue inside iova.c") {
    CHECK(differences(read_facts(shape("4.15"), system), system.facts("4.15")) == "");
  }
  SECTION("4.15 with its constants in the header") {
    FileTexts f = shape("4.15");
    std::string moved;
    for (const std::string line : {"#define IOVA_MAG_SIZE (1 << 7)\n", "#define MAX_GLOBAL_MAGS 32\n",
                                   "#define IOVA_FQ_SIZE 256\n", "#define IOVA_RANGE_CACHE_MAX_SIZE 6\n"}) {
      f[iova_c] = edited(f[iova_c], line, "");
      moved += line;
    }
    const FactReading without = read_facts(f, system);
    CHECK_FALSE(without.find("mag_size")->value);
    f["include/linux/iova.h"] = moved;
    CHECK(differences(read_facts(f, system), system.facts("4.15")) == "");
  }
}

TEST_CASE("layouts between 4.15 and 5.11 are read too") {
  const FakeIova system;
  FileTexts f = shape("4.15");
  std::string& c = f[iova_c];
  const auto facts_420 = system.facts("4.20");
  std::string& amd = f["drivers/iommu/amd_iommu.c"];
  amd = edited(edited(amd, "\t\tdma_ops_free_iova(dom, addr, count);\n", ""),
               "\t\tdomain_flush_complete(&dom->domain);\n",
               "\t\tdomain_flush_complete(&dom->domain);\n\t\tdma_ops_free_iova(dom, addr, count);\n");
  c = edited(c, "\tat = __get_cached_rbnode(dom, end);\n\there = rb_entry(at, struct iova, node);\n\tdo {",
             "\tif (end <= dom->dma_32bit_pfn && count >= dom->max32_alloc_size)\n\t\tgoto full;\n"
             "\tat = __get_cached_rbnode(dom, end);\n\there = rb_entry(at, struct iova, node);\n\tdo {");
  c = edited(
      c, "lo < dom->start_pfn) {\n\t\tspin_unlock_irqrestore(&dom->iova_rbtree_lock, irq);\n\t\treturn -ENOMEM;\n\t}",
      "lo < dom->start_pfn)\n\t\tgoto full;");
  c = edited(c,
             "\t__cached_rbnode_insert_update(dom, fresh);\n\tspin_unlock_irqrestore(&dom->iova_rbtree_lock, "
             "irq);\n\treturn 0;\n",
             "\t__cached_rbnode_insert_update(dom, fresh);\n\tspin_unlock_irqrestore(&dom->iova_rbtree_lock, "
             "irq);\n\treturn 0;\n"
             "full:\n\tdom->max32_alloc_size = count;\n\tspin_unlock_irqrestore(&dom->iova_rbtree_lock, irq);\n"
             "\treturn -ENOMEM;\n");
  c = edited(c, "near->pfn_lo)\n\t\tdom->cached32_node = rb_next(&gone->node);\n",
             "near->pfn_lo) {\n\t\tdom->cached32_node = rb_next(&gone->node);\n"
             "\t\tdom->max32_alloc_size = dom->dma_32bit_pfn;\n\t}\n");
  SECTION("4.20: the size of the last failure") { CHECK(differences(read_facts(f, system), facts_420) == ""); }
  SECTION("5.11: a second pass from the anchor, whose bound wraps") {
    c = edited(c, "full:\n\tdom->max32_alloc_size = count;\n", "full:\n");
    c = edited(c, "\tdo {\n\t\tend = min(end, here->pfn_lo);\n\t\tlo = (end - count) & mask;",
               "\tback = here->pfn_hi + 1;\nonce_more:\n\tdo {\n\t\thigh = min(high, here->pfn_lo);\n\t\tlo = (high - "
               "count) & mask;");
    c = edited(c, "lo <= here->pfn_hi);", "lo <= here->pfn_hi && lo >= low);");
    c = edited(c, "if (end < count || lo < dom->start_pfn)\n\t\tgoto full;",
               "if (high < count || lo < low) {\n\t\tif (low == dom->start_pfn && back < end) {\n\t\t\thigh = end;\n"
               "\t\t\tlow = back;\n\t\t\tat = &dom->anchor.node;\n\t\t\there = rb_entry(at, struct iova, node);\n"
               "\t\t\tgoto once_more;\n\t\t}\n\t\tdom->max32_alloc_size = count;\n\t\tgoto full;\n\t}");
    CHECK(differences(read_facts(f, system), with(facts_420, {{"second_pass", "from_anchor"},
                                                              {"retry_pfn_wraps", "true"},
                                                              {"max32_store_on_walk", "true"}})) == "");
  }
  SECTION("the queue of 5.3 to 5.16") {
    c = edited(c, "if (atomic_cmpxchg(&dom->fq_timer_on, 0, 1) == 0)",
               "if (!atomic_read(&dom->fq_timer_on) && !atomic_cmpxchg(&dom->fq_timer_on, 0, 1))");
    c += "\nbool has_iova_flush_queue(struct iova_domain *dom)\n{\n\treturn !!dom->fq;\n}\n";
    CHECK(differences(read_facts(f, system),
                      with(facts_420, {{"fq_timer_arm", "test_cmpxchg"}, {"fq_use_checked", "true"}})) == "");
  }
}

TEST_CASE("a renamed variable, another helper and other blanks leave the facts as they are") {
  FileTexts f = kernel("6.12");
  f[iova_c] = edited_everywhere(f[iova_c], "retry_pfn", "upper_floor");
  f[iova_c] = edited_everywhere(f[iova_c], "iovad", "domain");
  f[iova_c] = edited_everywhere(f[iova_c], "curr_iova", "at_iova");
  f[iova_c] = edited_everywhere(f[iova_c], "to_iova(", "iova_of_node(");
  f[dma_c] = edited_everywhere(f[dma_c], "iova_len", "pages");
  CHECK(changed_facts(read_facts(f, FakeIova())) == "");
}

TEST_CASE("semantic patches change the facts they are about and no other") {
  FileTexts f = kernel("6.12");
  for (const char* p : {"trim-plain-lock", "retry-wraps", "node-not-zeroed", "limit-inclusive", "flush-possible-cpus"})
    f = patched(f, test_data(std::string("patches/") + p + ".cocci"));
  f = patched(f, example("flush-32bit-again.cocci"));
  CHECK(differences(read_facts(f, FakeIova()),
                    with(FakeIova().facts("debian-6.12"), {{"depot_trim_irqsave", "false"},
                                                           {"retry_pfn_wraps", "true"},
                                                           {"node_zeroed", "false"},
                                                           {"limit_exclusive", "false"},
                                                           {"flush_on_32bit_failure", "true"}})) == "");
}

TEST_CASE("a reset that is dropped has a word") {
  const FileTexts after = patched({{iova_c, kernel("6.12").at(iova_c)}}, test_data("patches/max32-never-reset.cocci"));
  CHECK(read_facts(after, FakeIova()).find("max32_reset")->value == "never");
}

TEST_CASE("the fix of 2017 is seen on a 4.13 shape") {
  const FakeIova system;
  const FileTexts after = patched(shape("4.13"), example("rcache-flush-optional.cocci"));
  INFO(after.at(iova_c));
  CHECK(differences(read_facts(after, system),
                    with(system.facts("4.13"), {{"flush_optional", "true"}, {"flush_on_32bit_failure", "false"}})) ==
        "");
}

TEST_CASE("constants are read as numbers, or not at all") {
  FileTexts f = kernel("6.12");
  f[iova_c] = edited(f[iova_c], "#define IOVA_MAG_SIZE 127",
                     "#define IOVA_MAG_SIZE (IOVA_HALF * 2 + 1)\n#define IOVA_HALF (1 << 5)");
  f[dma_c] = edited(f[dma_c], "#define IOVA_DEFAULT_FQ_SIZE\t256", "#define IOVA_DEFAULT_FQ_SIZE 0x400");
  const FactReading read = read_facts(f, FakeIova());
  CHECK(read.find("mag_size")->value == "65");
  CHECK(read.find("fq_size")->value == "1024");
  const FactReading odd = read_edited(iova_c, "#define IOVA_MAG_SIZE 127", "#define IOVA_MAG_SIZE (PAGE_SIZE / 8)");
  CHECK_FALSE(odd.find("mag_size")->value);
  CHECK_THAT(odd.find("mag_size")->where, Catch::Matchers::Contains("the definition is no constant"));
}

TEST_CASE("the order in which a flush queue is set up and seen") {
  const std::string publish = "\tsmp_wmb();\n\tWRITE_ONCE(cookie->fq_domain, domain);\n";
  const auto read = [](const FileTexts& f) {
    return read_facts(f, FakeIova()).find("fq_publish")->value.value_or("unknown");
  };
  const FileTexts as_is{{dma_c, kernel("6.12").at(dma_c)}, {iova_c, kernel("6.12").at(iova_c)}};
  FileTexts f = as_is;
  CHECK(read(f) == "last");
  f[dma_c] = edited(f[dma_c], publish, "\tWRITE_ONCE(cookie->fq_domain, domain);\n");
  CHECK(read(f) == "unordered");
  f = as_is;
  f[dma_c] = edited(f[dma_c], publish, "");
  f[dma_c] = edited(f[dma_c], "\ttimer_setup(&cookie->fq_timer, fq_flush_timeout, 0);\n",
                    publish + "\ttimer_setup(&cookie->fq_timer, fq_flush_timeout, 0);\n");
  CHECK(read(f) == "before_timer");
  f = as_is;
  f[dma_c] = edited(f[dma_c], publish, "");
  f[dma_c] = edited(f[dma_c], "\tatomic64_set(&cookie->fq_flush_start_cnt,  0);\n",
                    publish + "\tatomic64_set(&cookie->fq_flush_start_cnt,  0);\n");
  CHECK(read(f) == "first");
}

TEST_CASE("what the drivers and the type of a domain decide") {
  FileTexts f = kernel("6.12");
  f["drivers/iommu/intel/iommu.c"] =
      edited(f["drivers/iommu/intel/iommu.c"], "\t\t\tiommu_set_dma_strict();\n", "");
  f["drivers/iommu/iommu.c"] = without(f["drivers/iommu/iommu.c"], "iommu_group_store_type");
  f[dma_c] = edited(edited_everywhere(f[dma_c], "IOMMU_DMA_OPTS_SINGLE_QUEUE", "IOMMU_DMA_OPTS_PER_CPU_QUEUE"),
                    "if (dev->iommu->shadow_on_flush) {", "if (0) {");
  CHECK(differences(read_facts(f, FakeIova()),
                    with(FakeIova().facts("debian-6.12"),
                         {{"caching_mode_strict", "false"}, {"fq_live_switch", "false"}, {"fq_single", "false"}})) ==
        "");
}

TEST_CASE("what no rule recognises is unknown, with the place looked at") {
  const FakeIova system;
  const auto unknown = [&](const FactReading& read, const std::string& fact, const std::string& where) {
    INFO(to_text(read));
    CHECK_FALSE(read.find(fact)->value);
    CHECK_THAT(read.find(fact)->where, Catch::Matchers::Contains(where));
  };
  FileTexts f = patched(kernel("6.12"), test_data("patches/max32-reset-halved.cocci"));
  f[iova_c] = edited(f[iova_c], "\tretry_pfn = curr_iova->pfn_hi;", "\tretry_pfn = curr_iova->pfn_lo;");
  f[iova_c] = edited(f[iova_c], "size, limit_pfn + 1,\n", "size, limit_pfn + 2,\n");
  f[dma_c] = edited(f[dma_c], "DMA_BIT_MASK(32) >> shift, false)", "DMA_BIT_MASK(32) >> shift, flush)");
  f[dma_c] = edited(f[dma_c], "\tdel_timer_sync(&cookie->fq_timer);", "");
  const FactReading read = read_facts(f, system);
  unknown(read, "max32_reset", "(__cached_rbnode_delete_update): no rule matches the code");
  unknown(read, "retry_pfn_wraps", "(__alloc_and_insert_iova_range)");
  unknown(read, "limit_exclusive", "(alloc_iova)");
  unknown(read, "flush_on_32bit_failure", "(iommu_dma_alloc_iova)");
  unknown(read, "fq_teardown_sync", "(iommu_dma_free_fq)");

  f.erase(dma_c);
  unknown(read_facts(f, system), "adjacent_windows", "drivers/iommu/dma-iommu.c: no such file in the tree");
}

TEST_CASE("rules that contradict each other make a fact unknown") {
  const TemporaryDirectory rules;
  write_file(
      rules.path() / "more.cocci",
      "// reads: drivers/iommu/iova.c\n@@\n@@\n alloc_iova_mem(...) {\n+ /* iomc: node_zeroed = false */\n ...\n }\n");
  const FactReading read = read_facts(kernel("6.12"), FakeIova(), {rules.path()});
  CHECK_FALSE(read.find("node_zeroed")->value);
  CHECK_THAT(read.find("node_zeroed")->where, Catch::Matchers::Contains("two rules contradict each other"));
}

TEST_CASE("what no source says takes the value that the rules state, until a rule finds it") {
  const TemporaryDirectory rules;
  const std::string heads = "// reads: drivers/iommu/iova.c\n// not in source: node_zeroed = false\n";
  write_file(rules.path() / "tree.cocci", heads);  // in place of the built-in rules that read it
  const FactReading stated = read_facts(kernel("6.12"), FakeIova(), {rules.path()});
  CHECK(stated.find("node_zeroed")->value == "false");
  CHECK(stated.find("node_zeroed")->stated);
  CHECK_THAT(stated.find("node_zeroed")->where, Catch::Matchers::Contains("not in the source"));
  CHECK_FALSE(stated.find("limit_exclusive")->value);

  write_file(rules.path() / "tree.cocci",
             heads + "@@\n@@\n alloc_iova_mem(...) {\n+ /* iomc: node_zeroed = true */\n ...\n }\n");
  const FactReading found = read_facts(kernel("6.12"), FakeIova(), {rules.path()});
  CHECK(found.find("node_zeroed")->value == "true");
  CHECK_FALSE(found.find("node_zeroed")->stated);
}

TEST_CASE("of a file of which rules look at two definitions, they see no third") {
  const TemporaryDirectory rules;
  const std::string rule = "@@\n@@\n kmem_cache_zalloc(\n+ /* iomc: node_zeroed = true */\n ...)\n";
  const auto read = [&](const std::string& of) {
    write_file(rules.path() / "tree.cocci", "// reads: drivers/iommu/iova.c" + of + "\n" + rule);
    return read_facts(kernel("6.12"), FakeIova(), {rules.path()});
  };
  const FactReading whole = read("");
  CHECK(whole.find("node_zeroed")->value == "true");
  CHECK(read("(alloc_iova_mem,free_iova_mem)").find("node_zeroed")->line == whole.find("node_zeroed")->line);
  CHECK_FALSE(read("(free_iova_mem,iova_magazine_alloc)").find("node_zeroed")->value);
}

TEST_CASE("a second reading runs only the rules whose files have changed, and says the same") {
  const FactReading before = read_facts(kernel("6.12"), FakeIova());
  FileTexts f = kernel("6.12");
  f[dma_c] = edited(f[dma_c], "DMA_BIT_MASK(32) >> shift, false)", "DMA_BIT_MASK(32) >> shift, true)");
  CHECK(to_text(read_facts(f, FakeIova(), {{}, before.runs})) == to_text(read_facts(f, FakeIova())));
}

TEST_CASE("a comment in the kernel cannot speak for a rule") {
  const FactReading read = read_edited(iova_c, "\treturn kmem_cache_zalloc(",
                                       "\t/* iomc: node_zeroed = true */\n\treturn kmem_cache_alloc(");
  CHECK(read.find("node_zeroed")->value == "false");
}

TEST_CASE("bad rules and bad trees are refused in one line") {
  const FakeIova system;
  const TemporaryDirectory rules, tree;
  const auto refused = [&](const std::string& text, const std::string& expected) {
    write_file(rules.path() / "bad.cocci", text);
    CHECK_THROWS_WITH(read_facts(kernel("6.12"), system, {rules.path()}), Catch::Matchers::Contains(expected));
  };
  refused("@@\n@@\n f();\n", "bad.cocci: no line \"// reads:");
  const std::string reads = "// reads: drivers/iommu/iova.c\n";
  refused("// reads: drivers/iommu/iova.c(alloc_iova, free_iova)\n",
          "write FILE(definition,definition) without blanks");
  refused(reads + "// not in source: node_zeroed false\n", "write FACT = VALUE");
  refused(reads + "// not in source: no_such_fact = 1\n", "\"no_such_fact\" is no fact of iova");
  refused(reads + "// not in source: node_zeroed = perhaps\n", "perhaps is no value of node_zeroed");
  refused(reads + "// flags: S\n", "write NAME=WORD, without blanks");
  refused(reads + "// without drivers/x.c: node_zeroed\n", "write // without FILE: FACT = VALUE");
  refused("// reads: drivers/iommu/iova.c\n@@\n@\n f(\n", "bad.cocci: spatch refuses the rules");
  refused("// reads: drivers/iommu/iova.c\n@@\n@@\n- kmem_cache_zalloc\n+ kmem_cache_alloc\n  (...)\n",
          "rules may only add comments");
  refused("// reads: drivers/iommu/iova.c\n@@\n@@\n alloc_iova_mem(...) {\n+ /* iomc: no_such_fact = 1 */\n ...\n }\n",
          "\"no_such_fact\" is no fact of iova");
  CHECK_THROWS_WITH(read_facts(tree.path() / "nowhere", system), Catch::Matchers::Contains("no such tree"));
  CHECK_THROWS_WITH(read_facts(tree.path(), system), Catch::Matchers::Contains("is it a kernel source tree?"));
  write_file(tree.path() / "notes.txt", "x");
  CHECK_THROWS_WITH(read_facts(tree.path() / "notes.txt", system),
                    Catch::Matchers::Contains("neither a directory nor"));
  write_file(tree.path() / "linux-source-0.0.tar.xz", "this is no archive");
  CHECK_THROWS_WITH(read_facts(tree.path() / "linux-source-0.0.tar.xz", system),
                    Catch::Matchers::Contains("cannot be unpacked"));
}
