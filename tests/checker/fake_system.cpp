// SPDX-License-Identifier: GPL-2.0-or-later
#include "tests/checker/fake_system.hpp"

#include <algorithm>
#include <chrono>
#include <thread>

#include "model/check.hpp"

namespace iomc::check::fake {

namespace {

constexpr const char* iova_c = "drivers/iommu/iova.c";

std::string value_of(const std::vector<NamedValue>& facts, const std::string& name) {
  for (const auto& [key, value] : facts)
    if (key == name) return value;
  return {};
}

PropertyResult result(const PropertyText& p, const Exploration& e) {
  PropertyResult r;
  r.property = p.id;
  r.claim = p.claim;
  r.configuration = e.configuration;
  r.scope = e.scope;
  r.states = e.states;
  r.transitions = e.transitions;
  r.depth = e.depth;
  return r;
}

class FakeSystem : public System {
 public:
  std::string name() const override { return "fake"; }
  std::string title() const override { return "a cache of I/O addresses that is not there"; }
  std::vector<std::string> files() const override { return {iova_c, "drivers/iommu/dma-iommu.c"}; }
  std::vector<NamedText> kernels() const override {
    return {{"6.1", "mainline v6.1"}, {"6.12", "mainline v6.12"}, {"debian-6.12", "linux-source-6.12"}};
  }
  std::vector<PropertyText> properties() const override {
    return {{"fake.P1", "two live ranges never overlap", "two devices would write to one page", "iova.c", "safety"},
            {"fake.P2",
             "a request that fits is not refused while ranges that would satisfy it lie in a cache of another CPU",
             "the driver sees DMA_MAPPING_ERROR although there is room", "538d5b333216, 4.15", "completeness"},
            {"fake.P3", "a range that is freed twice is noticed", "the tree would be corrupted", "iova.c", "safety"},
            {"fake.P4", "the depot never holds more magazines than it may", "memory is lost", "911aa1245da8, 6.7",
             "safety"}};
  }
  std::vector<StepText> steps() const override {
    return {{"iova_rcache_get.loaded", "iova_rcache_get", iova_c, "takes the top entry of the loaded magazine"},
            {"alloc_iova.search", "alloc_iova", iova_c, "searches the tree from the limit downwards"},
            {"iova_rcache_insert.depot", "iova_rcache_insert", iova_c, "pushes a full magazine to the depot"}};
  }
  std::vector<FactText> fact_texts() const override {
    return {{"flush", "a failed attempt flushes the caches", iova_c, "alloc_iova_fast", "538d5b333216, 4.15",
             "true or false"},
            {"pop", "which entries a request may take", iova_c, "iova_magazine_pop", "e8b198402745, 4.15",
             "one of top, scan"},
            {"mag_size", "entries of one magazine", iova_c, "IOVA_MAG_SIZE", "b4c9bf178ace, 6.0", "a number"}};
  }
  std::vector<NamedText> configurations() const override {
    return {{"two-cpus", "two tasks on two CPUs, one interrupt"},
            {"offline", "one CPU goes offline"},
            {"slow", "explores until it is interrupted"},
            {"deaf", "does not listen to signals"},
            {"broken", "breaks a rule of the program"}};
  }
  std::vector<NamedText> sizes() const override { return {{"cpus", "CPUs, 1 to 4"}}; }

  std::vector<NamedValue> facts(const std::string& kernel) const override;
  void set(const std::string& name, const std::string& value, std::vector<NamedValue>& facts,
           std::vector<NamedValue>& sizes) const override;
  RunResult check(const CheckRequest& request) const override;
  Counterexample replay(const CheckRequest& request, const std::string& property,
                        const std::string& path) const override;
  std::vector<WorkloadCost> costs(const std::vector<NamedValue>&) const override { return {}; }

 private:
  Exploration explore(const std::string& configuration, const CheckRequest& request) const;
  void decide(Exploration& e, const CheckRequest& request) const;
};

std::vector<NamedValue> FakeSystem::facts(const std::string& kernel) const {
  if (kernel == "6.1") return {{"flush", "true"}, {"pop", "scan"}, {"mag_size", "127"}};
  if (kernel == "6.12" || kernel == "debian-6.12") return {{"flush", "false"}, {"pop", "scan"}, {"mag_size", "127"}};
  throw InputError("fake has no kernel " + kernel + "; it has 6.1, 6.12, debian-6.12");
}

void FakeSystem::set(const std::string& name, const std::string& value, std::vector<NamedValue>& facts,
                     std::vector<NamedValue>& sizes) const {
  if (name == "cpus") {
    if (value.size() != 1 || value[0] < '1' || value[0] > '4') throw InputError("cpus=" + value + ": expected 1 to 4");
    sizes.emplace_back(name, value);
    return;
  }
  const auto known = std::find_if(facts.begin(), facts.end(), [&](const NamedValue& f) { return f.first == name; });
  if (known == facts.end())
    throw InputError("fake has no fact or size " + name + "; it has flush, pop, mag_size, cpus");
  if (name == "flush" && value != "true" && value != "false")
    throw InputError("flush=" + value + ": expected true or false");
  known->second = value;
}

/// Pretends to work until it is told to stop.
void work(Exploration& e, const CheckRequest& request) {
  for (int tick = 0; tick < 6000; ++tick) {
    if (request.interrupted != nullptr && request.interrupted->load()) {
      e.complete = false;
      e.reason = "interrupted";
      return;
    }
    e.states += 100;
    if (request.progress) request.progress({e.configuration, e.states, e.states * 3, 5, 40, {}});
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
}

Exploration FakeSystem::explore(const std::string& configuration, const CheckRequest& request) const {
  if (configuration == "broken") IOMC_UNREACHABLE("the fake broke");
  Exploration e;
  e.configuration = configuration;
  const std::string cpus = value_of(request.sizes, "cpus");
  e.scope = "exhaustive: cpus=" + (cpus.empty() ? "2" : cpus) + " mag_size=2 ranges=3";
  e.complete = true;
  e.states = configuration == "offline" ? 1523 : 41318;
  e.transitions = configuration == "offline" ? 3391 : 98112;
  e.depth = configuration == "offline" ? 17 : 23;
  if (configuration == "slow") work(e, request);
  if (configuration == "deaf") std::this_thread::sleep_for(std::chrono::minutes(1));
  if (request.limit_states != 0 && request.limit_states < e.states) {
    e.complete = false;
    e.reason = "limit of " + std::to_string(request.limit_states) + " states reached";
    e.states = request.limit_states;
  }
  e.coverage = {{"iova_rcache_get.loaded", 19}, {"alloc_iova.search", 23}, {"iova_rcache_insert.depot", 0}};
  e.stats = {0.5, 1 << 20};
  decide(e, request);
  return e;
}

void FakeSystem::decide(Exploration& e, const CheckRequest& request) const {
  for (const auto& p : properties()) {
    const auto& wanted = request.properties;
    if (!wanted.empty() && std::find(wanted.begin(), wanted.end(), p.id) == wanted.end()) continue;
    PropertyResult r = result(p, e);
    r.verdict = e.complete ? Verdict::holds : Verdict::inconclusive;
    r.reason = e.reason;
    r.vacuous = e.complete && p.id == "fake.P3";
    if (p.id == "fake.P2" && value_of(request.facts, "flush") == "false" && e.configuration == "two-cpus") {
      r.verdict = Verdict::violated;
      r.reason.clear();
      r.counterexample = counterexample();
    }
    e.results.push_back(std::move(r));
  }
}

RunResult FakeSystem::check(const CheckRequest& request) const {
  RunResult out;
  out.spec = name();
  out.kernel = request.kernel;
  out.facts = request.facts;
  const std::vector<std::string> defaults = {"two-cpus", "offline"};
  for (const auto& c : request.configurations.empty() ? defaults : request.configurations)
    out.explorations.push_back(explore(c, request));
  out.results = merge(out.explorations);
  out.never_fired = {"iova_rcache_insert.depot"};
  return out;
}

Counterexample FakeSystem::replay(const CheckRequest& request, const std::string& property,
                                  const std::string& path) const {
  Counterexample c = counterexample();
  if (path.size() > c.path.size()) throw InputError("replay path: step 7 has no choice 9");
  c.path = path;
  c.confirmed = property == "fake.P2" && path == counterexample().path && value_of(request.facts, "flush") == "false";
  if (!c.confirmed) c.conclusion.clear();
  return c;
}

}  // namespace

std::unique_ptr<System> make_system() { return std::make_unique<FakeSystem>(); }

Counterexample counterexample() {
  Counterexample c;
  c.initial = "0";
  c.path = "0/2/0/5/1/3/0";
  c.confirmed = true;
  c.conclusion =
      "task A asked for 2 pages below pfn 8 and was refused, although pfns 4-5 lie unused in the loaded magazine of "
      "CPU1, and nothing flushed it";
  c.steps = {
      {2,
       0,
       "task A",
       "iova_rcache_get.loaded",
       "iova_rcache_get",
       iova_c,
       "the loaded magazine of this size is empty",
       "cpu_rcache->lock (CPU0)",
       {},
       {{"cpu_cache_lock", 1}}},
      {0,
       1,
       "task B",
       "iova_rcache_insert.loaded",
       "__iova_rcache_insert",
       iova_c,
       "puts the freed range on top of the loaded magazine",
       "cpu_rcache->lock (CPU1)",
       {{"cpu[1].loaded.size", "0", "1"}, {"cpu[1].loaded.pfns[0]", "none", "4"}},
       {{"cpu_cache_lock", 1}}},
      {5,
       1,
       "hardirq",
       "handle_irq",
       "handle_irq_event",
       iova_c,
       "the device raised its interrupt while B freed",
       "",
       {{"irq.pending", "true", "false"}},
       {}},
      {1,
       0,
       "task A",
       "alloc_iova.search",
       "__alloc_and_insert_iova_range",
       iova_c,
       "walks from the limit down and finds no hole of 2 pages",
       "iova_rbtree_lock",
       {{"tree.max32_alloc_size", "8", "2"}},
       {{"tree_lock", 1}, {"tree_step", 3}}},
      {3, -1, "device", "device.dma", "", "", "the device reads pfn 6", "", {{"device.reads", "0", "1"}}, {}},
      {0,
       0,
       "task A",
       "alloc_iova_fast",
       "alloc_iova_fast",
       iova_c,
       "gives up: returns 0",
       "",
       {{"A.result", "none", "0"}},
       {}},
  };
  return c;
}

RunResult every_verdict() {
  const auto system = make_system();
  CheckRequest request;
  request.kernel = "6.12";
  request.facts = system->facts("6.12");
  RunResult run = system->check(request);
  auto& p4 = run.results[3];
  p4.verdict = Verdict::inconclusive;
  p4.reason = "limit of 1000 states reached; 812 of 1000 states found were expanded, depth 9";
  run.explorations[1].complete = false;
  run.explorations[1].reason = "limit of 1000 states reached";
  return run;
}

RunResult liveness_run() {
  const auto named = [](const char* id, const char* claim, Verdict verdict) {
    PropertyResult r;
    r.property = id;
    r.claim = claim;
    r.configuration = "two-cpus";
    r.verdict = verdict;
    r.states = 41318;
    r.transitions = 98112;
    r.depth = 23;
    return r;
  };
  RunResult run;
  run.spec = "fake";
  run.kernel = "6.12";
  run.results = {named("fake.L1", "an interrupt is followed by a signal", Verdict::violated),
                 named("fake.L2", "a thread that is woken runs", Verdict::holds),
                 named("fake.L6", "no task that never blocks has the thread's CPU", Verdict::violated)};
  Counterexample loop = counterexample();
  loop.path = "0/2/0/5/loop/1/3/0";
  loop.loop_start = 3;
  loop.owed_from = 1;
  loop.fairness = {"CPU0 task A takes step 4", "the lock goes to task B cannot take a step after step 5"};
  loop.conclusion = "task A walks the tree for ever, and the signal never comes";
  run.results[0].counterexample = loop;
  run.results[1].assumes = {"fake.L6"};
  Counterexample end = counterexample();
  end.steps.resize(2);
  end.path = "0/2/0/end";
  end.loop_start = 2;
  end.owed_from = 2;
  end.conclusion = "failed assumption of fake.L2 (the thread's CPU is free): nobody has to do anything more";
  run.results[2].counterexample = end;
  run.results[2].assumption_of = {"fake.L2"};
  return run;
}

}  // namespace iomc::check::fake
