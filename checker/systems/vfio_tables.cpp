// SPDX-License-Identifier: GPL-2.0-or-later
// The tables of vfio: each cell is an exploration of its own.
#include "checker/systems/vfio_tables.hpp"

#include <algorithm>
#include <array>

namespace iomc::check {

namespace {

struct Column {
  const char* name;
  const char* kernel;
  std::vector<std::pair<const char*, const char*>> sets;
  bool source_at_hand = true;
};

class Cells {
 public:
  Cells(const System& system, const CheckRequest& limits) : system_(system), limits_(limits) {}

  /// One configuration of one kernel.
  RunResult run(const Column& c, const std::string& configuration, const std::vector<std::string>& properties) const {
    CheckRequest r = limits_;
    r.kernel = c.kernel;
    r.facts = system_.facts(c.kernel);
    r.sizes.clear();
    for (const auto& [name, value] : c.sets) system_.set(name, value, r.facts, r.sizes);
    r.configurations = {configuration};
    r.properties = properties;
    return system_.check(r);
  }

 private:
  const System& system_;
  CheckRequest limits_;
};

const PropertyResult* find(const RunResult& run, const std::string& property) {
  for (const auto& r : run.results)
    if (r.property == property) return &r;
  return nullptr;
}

bool violated(const RunResult& run, const std::string& property) {
  const PropertyResult* r = find(run, property);
  return r != nullptr && r->verdict == Verdict::violated;
}

bool fired(const RunResult& run, const std::string& step) {
  for (const auto& e : run.explorations)
    for (const auto& c : e.coverage)
      if (c.step == step && c.fired != 0) return true;
  return false;
}

/// What happens where nobody broke the rule in a way that shows.
std::string outcome(const RunResult& run) {
  std::string out;
  const auto add = [&](const char* property, const char* words) {
    if (violated(run, property)) out += (out.empty() ? "" : ", ") + std::string(words);
  };
  add("vfio.D2", "hangs");
  add("vfio.S20", "schedules in the interrupt");
  add("vfio.S3", "drops a signal");
  if (out.empty()) add("vfio.L1", "loses a signal");
  for (const auto& r : run.results)
    if (r.verdict == Verdict::inconclusive) return "inconclusive";
  return out.empty() ? "works" : out;
}

std::vector<Column> kernels_and_flags(const char* flags) {
  const std::pair<const char*, const char*> handler{"msi_handler_flags", flags};
  return {{"4.14 *", "4.14", {handler}, false},
          {"4.14-threadirqs *", "4.14-threadirqs", {handler}, false},
          {"4.14-rt *", "4.14-rt", {handler}, false},
          {"6.1", "6.1", {handler}},
          {"6.1-threadirqs", "6.1-threadirqs", {handler}},
          {"6.1-rt", "6.1-rt", {handler}},
          {"6.12", "6.12", {handler}},
          {"6.12-threadirqs", "6.12-threadirqs", {handler}},
          {"6.12-rt", "6.12-rt", {handler}},
          {"6.12, PROVE_RAW_LOCK_NESTING", "6.12", {handler, {"prove_raw_lock_nesting", "true"}}}};
}

const std::vector<std::string> outcomes = {"vfio.S1", "vfio.S3", "vfio.S20", "vfio.D2", "vfio.L1"};

const char* const unread = "* cells of 4.14 rest on the references: its source is not at hand";

Table dispatch(const Cells& cells) {
  Table t;
  t.title = "vfio_msihandler by kernel and flags: where it runs, whether its lock is allowed there, what happens";
  t.columns = {"kernel", "flags", "runs in", "vfio.S1", "nobody else", "reader interrupted", "reader preempted",
               "reader on another CPU"};
  for (const char* flags : {"0", "NO_THREAD"})
    for (const Column& c : kernels_and_flags(flags)) {
      const RunResult alone = cells.run(c, "alone", outcomes);
      std::vector<std::string> row = {c.name, flags, fired(alone, "thread_handler") ? "thread" : "hard irq",
                                      violated(alone, "vfio.S1") ? "violated" : "holds", outcome(alone)};
      for (const char* configuration : {"reader", "preempted", "reader-elsewhere"})
        row.push_back(outcome(cells.run(c, configuration, outcomes)));
      t.rows.push_back(std::move(row));
    }
  t.notes = {"hangs: vfio.D2; schedules in the interrupt: vfio.S20; drops a signal: vfio.S3 and vfio.L1", unread};
  return t;
}

struct Row {
  const char* name;
  const char* property;
  std::vector<const char*> configurations;
  const char* vacuous = "-";
};

Table variants(const Cells& cells) {
  const std::pair<const char*, const char*> no_thread{"msi_handler_flags", "NO_THREAD"};
  const std::vector<Column> columns = {
      {"4.14-rt flags 0 *", "4.14-rt", {}, false},      {"4.14-rt NO_THREAD *", "4.14-rt", {no_thread}, false},
      {"6.1-rt flags 0", "6.1-rt", {}},                 {"debian-6.1-rt flags 0", "debian-6.1-rt", {}},
      {"6.12-rt flags 0", "6.12-rt", {}},               {"debian-6.12-rt flags 0", "debian-6.12-rt", {}},
      {"debian-6.12-rt NO_THREAD", "debian-6.12-rt", {no_thread}},
      {"debian-6.12 flags 0", "debian-6.12", {}},       {"debian-6.12-threadirqs", "debian-6.12-threadirqs", {}},
  };
  const std::vector<Row> rows = {
      {"S1", "vfio.S1", {"alone", "reader", "poller"}},
      {"S3", "vfio.S3", {"reader", "preempted", "two-signallers"}},
      {"L1 no contention", "vfio.L1", {"alone"}},
      {"L1 with reader in lock", "vfio.L1", {"reader", "preempted", "reader-elsewhere"}},
      {"S4 INTx, NULL trigger", "vfio.S4", {"intx-loopback", "intx-triggers"}},
      {"S7 INTx, trigger changes", "vfio.S7", {"intx-legacy-triggers"}},
      {"S7 INTx, mask meets handler", "vfio.S7", {"intx-legacy-mask"}},
      {"D1 SET_IRQS, hot reset, AER", "vfio.D1", {"three-locks"}},
      {"D3 shared free in thread", "vfio.D3", {"remover"}},
      // Without a thread there is none to starve.
      {"L6 FIFO task >= 50, same CPU", "vfio.L6", {"hog"}, "v"},
  };
  Table t;
  t.title = "properties by kernel and flags: v holds, x violated, - nothing could have violated it";
  t.columns = {"property"};
  for (const Column& c : columns) t.columns.push_back(c.name);
  for (const Row& row : rows) {
    std::vector<std::string> line = {row.name};
    for (const Column& c : columns) {
      std::string cell = row.vacuous;
      for (const char* configuration : row.configurations) {
        const RunResult run = cells.run(c, configuration, {row.property});
        const PropertyResult* r = find(run, row.property);
        if (r == nullptr) continue;
        if (r->verdict == Verdict::violated) cell = "x";
        if (r->verdict == Verdict::inconclusive && cell != "x") cell = "?";
        if (r->verdict == Verdict::holds && !r->vacuous && cell == row.vacuous) cell = "v";
      }
      line.push_back(cell);
    }
    t.rows.push_back(std::move(line));
  }
  t.notes = {"S7, mask meets handler: docs/findings.md, N6; it is in no list of known bugs", unread};
  return t;
}

}  // namespace

std::vector<NamedText> vfio_tables() {
  return {{"dispatch", "vfio_msihandler with flags 0 and IRQF_NO_THREAD on each kernel: context, rule, outcome"},
          {"variants", "properties against kernels and flags"}};
}

std::optional<Table> vfio_table(const System& system, const std::string& name, const CheckRequest& request) {
  const Cells cells(system, request);
  std::optional<Table> out;
  if (name == "dispatch") out = dispatch(cells);
  if (name == "variants") out = variants(cells);
  if (!out) return out;
  out->spec = system.name();
  out->name = name;
  return out;
}

}  // namespace iomc::check
