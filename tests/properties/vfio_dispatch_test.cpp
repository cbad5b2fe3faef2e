// SPDX-License-Identifier: GPL-2.0-or-later
// Dispatch of messages to eventfds: the counterexamples of IRQF_NO_THREAD, the two tables, coalescing, and for each
// property of dispatch what breaks it.
//
// On a real 6.1 kernel with PREEMPT_RT and that flag on vfio_msihandler, a thread that reads the eventfd on the
// interrupt's CPU gets "BUG: scheduling while atomic" from eventfd_signal called by vfio_msihandler, and so does one
// that reads and writes; on 6.12 too. That is vfio.S20 of the configurations preempted and reader-elsewhere.
#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <set>

#include "checker/explicit/explorer.hpp"
#include "checker/system.hpp"
#include "spec/vfio/configurations.hpp"
#include "spec/vfio/vfio.hpp"

namespace {

using namespace iomc::check;
namespace vfio = iomc::spec::vfio;

using Sets = std::vector<std::pair<std::string, std::string>>;

RunResult check(const std::string& kernel, const std::string& configuration, const Sets& sets,
                const std::vector<std::string>& properties = {}) {
  const System& system = find_system("vfio");
  CheckRequest r;
  r.kernel = kernel;
  r.facts = system.facts(kernel);
  for (const auto& [name, value] : sets) system.set(name, value, r.facts, r.sizes);
  r.configurations = {configuration};
  r.properties = properties;
  return system.check(r);
}

/// Violated properties and the lengths of their counterexamples; all of them confirmed by the replayer.
std::map<std::string, std::size_t> violated(const RunResult& run) {
  std::map<std::string, std::size_t> out;
  for (const auto& r : run.results) {
    INFO(r.property << " " << r.reason);
    CHECK(r.verdict != Verdict::inconclusive);
    if (r.verdict != Verdict::violated) continue;
    REQUIRE(r.counterexample.has_value());
    CHECK(r.counterexample->confirmed);
    out[r.property] = r.counterexample->steps.size();
  }
  return out;
}

std::set<std::string> names(const std::map<std::string, std::size_t>& m) {
  std::set<std::string> out;
  for (const auto& [name, length] : m) out.insert(name);
  return out;
}

const Sets no_thread = {{"msi_handler_flags", "NO_THREAD"}};

TEST_CASE("IRQF_NO_THREAD on RT: each of the known outcomes, and nothing with flags 0") {
  struct Case {
    const char* what;
    const char* configuration;
    std::set<std::string> found;
  };
  const Case cases[] = {
      {"X6: nobody else there: it works, and only the rule is broken", "alone", {"vfio.S1", "vfio.S2"}},
      {"X1, X2: the interrupted task is inside eventfd_read: hang, or the signal is dropped", "reader",
       {"vfio.S1", "vfio.S2", "vfio.S3", "vfio.D2", "vfio.L1"}},
      {"X4: the owner is preempted: the scheduler is called in the interrupt", "preempted",
       {"vfio.S1", "vfio.S2", "vfio.S3", "vfio.S20", "vfio.D2", "vfio.L1"}},
      {"X5: the owner runs on the other CPU, the interrupt came over idle", "reader-elsewhere",
       {"vfio.S1", "vfio.S2", "vfio.S20", "vfio.L1"}},
      {"X5: …or is preempted there", "preempted-elsewhere", {"vfio.S1", "vfio.S2", "vfio.S20", "vfio.L1"}},
  };
  for (const char* kernel : {"6.12-rt", "debian-6.12-rt", "debian-6.1-rt"})
    for (const Case& c : cases) {
      INFO(c.what << ": iomc check vfio --kernel " << kernel << " --config " << c.configuration);
      CHECK(names(violated(check(kernel, c.configuration, no_thread))) == c.found);
      CHECK(violated(check(kernel, c.configuration, {})).empty());
    }
}

TEST_CASE("before 5.16 the interrupted task's note is not there, and the hang is") {
  const auto found = names(violated(check("4.14-rt", "reader", no_thread)));
  CHECK(found == std::set<std::string>{"vfio.S1", "vfio.S2", "vfio.D2", "vfio.L1"});
}

TEST_CASE("the one-CPU counterexamples are as short as they can be") {
  const auto found = violated(check("6.12-rt", "reader", no_thread));
  CHECK(found.at("vfio.S1") == 6);
  CHECK(found.at("vfio.D2") == 8);
  CHECK(found.at("vfio.S3") == 20);
}

TEST_CASE("IRQF_NO_THREAD without RT breaks nothing but lockdep's rule") {
  for (const char* kernel : {"6.12", "6.12-threadirqs", "debian-6.1", "4.14"})
    for (const char* configuration : {"alone", "reader", "preempted", "reader-elsewhere", "poller"}) {
      INFO(kernel << " " << configuration);
      CHECK(violated(check(kernel, configuration, no_thread)).empty());
    }
  const Sets nesting = {{"msi_handler_flags", "NO_THREAD"}, {"prove_raw_lock_nesting", "true"}};
  CHECK(names(violated(check("6.12", "alone", nesting))) == std::set<std::string>{"vfio.S1"});
  CHECK(violated(check("6.12", "alone", {{"prove_raw_lock_nesting", "true"}})).empty());
}

TEST_CASE("a raw lock in the eventfd would make the flag legal for a vector that nobody polls") {
  const Sets raw = {{"msi_handler_flags", "NO_THREAD"}, {"eventfd_lock", "raw_spinlock"}};
  for (const char* configuration : {"alone", "reader", "reader-elsewhere", "preempted"})
    CHECK(violated(check("6.12-rt", configuration, raw)).empty());
  CHECK(names(violated(check("6.12-rt", "poller", raw))).count("vfio.S1") == 1);
}

TEST_CASE("each property of dispatch has something that breaks it") {
  struct Mutant {
    const char* property;
    const char* kernel;
    const char* configuration;
    Sets sets;
    std::size_t steps;
  };
  const Mutant mutants[] = {
      {"vfio.L4", "6.12-rt", "alone", {{"thread_set_state_first", "false"}}, 30},
      {"vfio.L1", "6.12-rt", "alone", {{"thread_set_state_first", "false"}}, 30},
      {"vfio.S17", "6.12-rt", "alone", {{"msi_oneshot_safe", "false"}}, 0},
      {"vfio.S10", "6.1-rt", "teardown", {{"thread_ready_wait", "false"}}, 32},
      {"vfio.deadlock", "6.1-rt", "teardown", {{"thread_ready_wait", "false"}}, 38},
      {"vfio.S11", "6.12", "teardown", {{"deactivate_after_wait", "false"}}, 22},
      {"vfio.S3", "6.12-rt", "two-signallers", {{"eventfd_guard", "per_cpu"}}, 6},
      {"vfio.L6", "6.12-rt", "hog", {}, 0},
      {"vfio.T5", "6.12-rt", "alone", {{"thread_clears_work", "false"}}, 0},
      {"vfio.T5", "6.12-threadirqs", "alone", {{"thread_clears_work", "false"}}, 0},
      {"vfio.S5", "6.12", "set-block", {{"msi_freed_before_put", "false"}}, 0},
      {"vfio.S27", "6.12", "set-block", {{"msi_block_unwound", "false"}, {"msi_enable_unwound", "false"}}, 0},
      {"vfio.S27", "6.12", "set-block", {{"msi_enable_unwound", "false"}}, 0},
      {"vfio.S28", "6.12", "set-block", {{"msi_disable_unsets", "false"}}, 0},
      {"vfio.S28", "6.12", "set-block-msi", {{"msi_partial_freed", "false"}}, 0},
      {"vfio.S26", "6.12", "set-block", {{"msi_disable_unsets", "false"}}, 0},
      {"vfio.R2", "6.12", "set-block", {{"msi_error_puts", "false"}}, 0},
      {"vfio.R2", "6.1", "set-block", {{"msi_error_puts", "false"}}, 0},
      {"vfio.S29", "6.12-rt", "softirq-tick", {{"bh_lock", "false"}}, 0},
      {"vfio.D2", "6.1-rt", "network-forced", {{"forced_bh_off", "false"}}, 0},
      {"vfio.D2", "6.1-threadirqs", "network-forced", {{"forced_bh_off", "false"}, {"forced_irqs_off", "false"}}, 0},
  };
  for (const Mutant& m : mutants) {
    INFO(m.property << " on " << m.kernel << ", " << m.configuration);
    const auto found = violated(check(m.kernel, m.configuration, m.sets, {m.property}));
    REQUIRE(found.count(m.property) == 1);
    if (m.steps != 0) CHECK(found.at(m.property) == m.steps);
    if (!m.sets.empty()) CHECK(violated(check(m.kernel, m.configuration, {}, {m.property})).empty());
  }
}

TEST_CASE("SET_IRQS on blocks of vectors, in any order, with every failure, while messages come") {
  // The user's calls may lose a message that a CPU took already (N4 in docs/findings.md), and one to a vector that
  // cannot be masked (B34); all else holds.
  for (const char* kernel : {"6.12", "debian-6.1", "4.14"})
    for (const char* configuration : {"set-block", "set-block-msi"}) {
      INFO("iomc check vfio --kernel " << kernel << " --config " << configuration);
      const RunResult run = check(kernel, configuration, {});
      std::set<std::string> expected{"vfio.L1"};
      if (std::string(kernel) == "4.14") expected.insert("vfio.S11");  // B22
      CHECK(names(violated(run)) == expected);
      for (const auto& r : run.results)
        for (const char* id : {"vfio.S26", "vfio.S27", "vfio.S28", "vfio.R2"})
          if (r.property == id) CHECK_FALSE(r.vacuous);
      std::set<std::string> fired;
      for (const auto& c : run.explorations.at(0).coverage)
        if (c.fired != 0) fired.insert(c.step);
      for (const char* step : {"msi_enable", "msi_alloc_vectors", "msi_disable", "msi_free_vectors", "msi_disarm"})
        CHECK(fired.count(step) == 1);
      const bool grows = std::string(kernel) == "6.12" && std::string(configuration) == "set-block";
      CHECK(fired.count("msi_alloc_one") == (grows ? 1 : 0));
    }
}

TEST_CASE("softirqs on the interrupt's CPU: where they run, and what the flag breaks there") {
  const auto fired_in = [](const char* kernel, const char* configuration) {
    const RunResult r = check(kernel, configuration, {});
    CHECK(violated(r).empty());
    std::set<std::string> out;
    for (const auto& c : r.explorations.at(0).coverage)
      if (c.fired != 0) out.insert(c.step);
    CHECK(out.count("softirq_begin") == 1);
    return out;
  };
  // On top of the task that was interrupted, and never in a thread.
  for (const char* configuration : {"softirq", "softirq-tick"})
    for (const char* kernel : {"6.12", "4.14"}) {
      const auto fired = fired_in(kernel, configuration);
      CHECK(fired.count("softirq_entry") == 1);
      CHECK(fired.count("softirqd_lock") == 0);
    }
  // In the thread that turns softirqs on, and in ksoftirqd where a hard interrupt raised it.
  for (const char* kernel : {"6.12-rt", "6.12-threadirqs", "debian-6.1-rt"}) {
    INFO(kernel);
    CHECK(fired_in(kernel, "softirq").count("softirqd_lock") == 0);
    CHECK(fired_in(kernel, "softirq-tick").count("softirqd_lock") == 1);
  }
  // ksoftirqd is a task as any other for a handler in a hard interrupt.
  CHECK(names(violated(check("6.12-rt", "softirq-tick", no_thread))) ==
        std::set<std::string>{"vfio.S1", "vfio.S2", "vfio.S3", "vfio.S20", "vfio.D2", "vfio.L1"});
  CHECK(violated(check("6.12", "softirq-tick", no_thread)).empty());
  // 4.14-rt had no lock of the CPU.
  CHECK(names(violated(check("4.14-rt", "softirq-tick", {}))) == std::set<std::string>{"vfio.S29"});
}

TEST_CASE("a deadlock is replayed from its path, and no other end is one") {
  const System& system = find_system("vfio");
  CheckRequest r;
  r.kernel = "6.1-rt";
  r.facts = system.facts(r.kernel);
  r.configurations = {"teardown"};
  r.properties = {"vfio.deadlock"};
  system.set("thread_ready_wait", "false", r.facts, r.sizes);
  const RunResult run = system.check(r);
  REQUIRE(run.results.size() == 1);
  REQUIRE(run.results[0].counterexample.has_value());
  const std::string path = run.results[0].counterexample->path;
  const Counterexample again = system.replay(r, "vfio.deadlock", path);
  CHECK(again.confirmed);
  CHECK(again.conclusion == run.results[0].counterexample->conclusion);
  CHECK_FALSE(system.replay(r, "vfio.deadlock", path.substr(0, path.rfind('/'))).confirmed);
}

TEST_CASE("starvation by a FIFO task is a failed assumption, not a broken L1") {
  const RunResult run = check("6.12-rt", "hog", {});
  for (const auto& r : run.results) {
    if (r.property == "vfio.L1") {
      CHECK(r.verdict == Verdict::holds);
      CHECK(r.assumes == std::vector<std::string>{"vfio.L6"});
    }
    if (r.property == "vfio.L6") {
      CHECK(r.verdict == Verdict::violated);
      CHECK_FALSE(r.assumption_of.empty());
    }
  }
  // Hard interrupts preempt it.
  CHECK(violated(check("6.12", "hog", {})).empty());
  CHECK(names(violated(check("6.12-rt", "hog", no_thread))) == std::set<std::string>{"vfio.S1", "vfio.S2"});
}

/// All pairs of (interrupts taken, signals) in the states at rest.
std::set<std::pair<unsigned, unsigned>> counts_at_rest(const char* kernel, const char* flags) {
  vfio::Facts f = vfio::find_kernel(kernel)->facts;
  REQUIRE(iomc::model::set_fact(f, "msi_handler_flags", flags) == std::optional<std::string>(""));
  const auto all = vfio::configurations();
  const auto alone = std::find_if(all.begin(), all.end(), [](const auto& c) { return std::string(c.name) == "alone"; });
  vfio::Config c = vfio::make_config(*alone, f);
  c.sizes.msis = 3;
  using Spec = vfio::Vfio<iomc::model::Concrete>;
  const Spec spec(c);
  static std::set<std::pair<unsigned, unsigned>> out;
  out.clear();
  iomc::model::Property<Spec> observe{};
  observe.info = {"observe", "", "", "", iomc::model::PropertyKind::safety};
  observe.holds_in = [](const Spec& s, const Spec::State& state) {
    const auto& d = state.desc[0];
    if (d.sent.raw() == 3 && d.irr.raw() == 0 && s.may_stop(state))
      out.emplace(d.taken.raw(), state.eventfd[0].signals.raw());
    return true;
  };
  explore(spec, std::span<const iomc::model::Property<Spec>>(&observe, 1));
  return out;
}

TEST_CASE("interrupts coalesce with threads, and only with threads") {
  for (const auto& [taken, signals] : counts_at_rest("6.12", "0")) CHECK(signals == taken);
  for (const auto& [taken, signals] : counts_at_rest("6.12-rt", "NO_THREAD")) CHECK(signals == taken);
  for (const char* kernel : {"6.12-rt", "6.12-threadirqs"}) {
    bool fewer = false;
    for (const auto& [taken, signals] : counts_at_rest(kernel, "0")) {
      CHECK(signals <= taken);
      CHECK(signals >= 1);
      fewer |= signals < taken;
    }
    CHECK(fewer);
  }
}

TEST_CASE("signals by ioctl and softirq sections are steps that happen, and break nothing") {
  const auto steps = [](const char* kernel, const char* configuration) {
    const RunResult r = check(kernel, configuration, {});
    CHECK(violated(r).empty());
    std::set<std::string> out;
    for (const auto& c : r.explorations.at(0).coverage)
      if (c.fired != 0) out.insert(c.step);
    return out;
  };
  for (const char* kernel : {"6.12", "6.12-threadirqs", "6.12-rt"}) {
    INFO(kernel);
    CHECK(steps(kernel, "loopback").count("msi_loopback") == 1);
    const auto softirqs = steps(kernel, "softirqs-off");
    CHECK(softirqs.count("bh_take") == 1);
    CHECK(softirqs.count("bh_drop") == 1);
  }
}

TEST_CASE("the verdict matrix") {
  const Table t = find_system("vfio").table("dispatch", {});
  REQUIRE(t.rows.size() == 20);
  for (const auto& row : t.rows) {
    INFO(row[0] << ", flags " << row[1]);
    const bool rt = row[0].find("-rt") != std::string::npos;
    const bool threaded = row[1] == "0" && (rt || row[0].find("threadirqs") != std::string::npos);
    const bool nesting = row[0].find("PROVE") != std::string::npos;
    const bool old = row[0].rfind("4.14", 0) == 0;
    const bool broken = row[1] == "NO_THREAD" && rt;
    CHECK(row[2] == (threaded ? "thread" : "hard irq"));
    CHECK(row[3] == (row[1] == "NO_THREAD" && (rt || nesting) ? "violated" : "holds"));
    CHECK(row[4] == "works");
    CHECK(row[5] == (!broken ? "works" : old ? "hangs" : "hangs, drops a signal"));
    CHECK(row[6] == (!broken ? "works"
                     : old   ? "hangs, schedules in the interrupt"
                             : "hangs, schedules in the interrupt, drops a signal"));
    CHECK(row[7] == (broken ? "schedules in the interrupt" : "works"));
    CHECK((row[0].find('*') != std::string::npos) == old);
  }
}

TEST_CASE("the variant table, cell by cell") {
  // In the order of the columns: 4.14-rt with flags 0 and NO_THREAD, 6.1-rt, debian-6.1-rt, 6.12-rt, debian-6.12-rt
  // with flags 0 and NO_THREAD, debian-6.12, debian-6.12-threadirqs. The reference has other answers in four rows: S3
  // on 4.14 is "not applicable" there, since there is no guard; S7 holds from 6.1.84 on, which is so where only the
  // trigger changes (N6 in docs/findings.md); D3 holds on 6.12 without RT unless a sharer is threaded, which the
  // remover is; D1 fails on 6.1 with RT, where readers pass the hot plug that waits for pci_bus_sem.
  const std::map<std::string, std::string> expected = {
      {"S1", "vxvvvvxvv"},
      {"S3", "vvvvvvxvv"},
      {"L1 no contention", "vvvvvvvvv"},
      {"L1 with reader in lock", "vxvvvvxvv"},
      {"S4 INTx, NULL trigger", "xxxvvvvvv"},
      {"S7 INTx, trigger changes", "xxxvvvvvv"},
      {"S7 INTx, mask meets handler", "xxxxxxxxx"},
      {"D1 SET_IRQS, hot reset, AER", "vvvvxvvvv"},
      {"D3 shared free in thread", "xxvvxxxxx"},
      {"L6 FIFO task >= 50, same CPU", "xvxxxxvvx"},
  };
  const Table t = find_system("vfio").table("variants", {});
  REQUIRE(t.columns.size() == 10);
  REQUIRE(t.rows.size() == expected.size());
  for (const auto& row : t.rows) {
    INFO(row[0]);
    REQUIRE(expected.count(row[0]) == 1);
    std::string cells;
    for (std::size_t i = 1; i < row.size(); ++i) cells += row[i];
    CHECK(cells == expected.at(row[0]));
  }
}

}  // namespace
