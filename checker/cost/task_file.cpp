// SPDX-License-Identifier: GPL-2.0-or-later
#include <fstream>
#include <sstream>

#include "checker/cost/json_object.hpp"
#include "checker/cost/response.hpp"

namespace iomc::check::cost {

namespace {

using json::Object;

std::vector<Interference> interferences(const Object& o, const std::string& key, bool tasks, bool repeated) {
  std::vector<Interference> out;
  if (!o.has(key)) return out;
  for (const Object& one : o.list(key)) {
    std::set<std::string> known = {"name", "wcet_ns"};
    if (repeated) known.insert({"period_ns", "jitter_ns"});
    if (tasks) known.insert({"priority", "blocks"});
    one.only(known);
    Interference i;
    i.name = one.word("name");
    if (tasks) {
      i.priority = one.count("priority");
      if (i.priority > 100) one.fail("must be 1 to 99 for SCHED_FIFO, or 100 for SCHED_DEADLINE", "priority");
      if (one.has("blocks")) i.blocks = one.yes_or_no("blocks");
    }
    // A task that never blocks has neither.
    if (i.blocks) {
      i.wcet = one.positive("wcet_ns");
      if (repeated) i.period = one.positive("period_ns");
      if (repeated && one.has("jitter_ns")) i.jitter = one.at_least_zero("jitter_ns");
    }
    out.push_back(i);
  }
  return out;
}

}  // namespace

TaskSet parse_task_set(const std::string& text, const std::string& file) {
  json::Reader reader(file);
  const json::Document document = reader.read(text);
  const Object root(reader, document, "", document.root);
  root.only({"schema", "name", "irq_thread_priority", "d_poid_ns", "d_paie_ns", "d_psd_ns", "d_st_ns", "d_ioff_ns",
             "bh_section_ns", "wqh_section_ns", "irqs", "nmis", "tasks", "threads", "trace"});
  if (root.word("schema") != "iomc.tasks/1") root.fail("must be \"iomc.tasks/1\"", "schema");
  TaskSet out;
  out.name = root.word("name");
  if (root.has("irq_thread_priority")) out.irq_thread_priority = root.count("irq_thread_priority");
  if (out.irq_thread_priority > 99) root.fail("must be 1 to 99", "irq_thread_priority");
  out.d_poid = root.at_least_zero("d_poid_ns");
  out.d_paie = root.at_least_zero("d_paie_ns");
  out.d_psd = root.at_least_zero("d_psd_ns");
  out.d_st = root.at_least_zero("d_st_ns");
  out.d_ioff = root.has("d_ioff_ns") ? root.at_least_zero("d_ioff_ns") : out.d_poid;
  if (root.has("bh_section_ns")) out.bh_section = root.at_least_zero("bh_section_ns");
  if (root.has("wqh_section_ns")) out.wqh_section = root.at_least_zero("wqh_section_ns");
  out.irqs = interferences(root, "irqs", false, true);
  out.nmis = interferences(root, "nmis", false, true);
  out.tasks = interferences(root, "tasks", true, true);
  out.threads = interferences(root, "threads", false, false);
  if (root.has("trace"))
    for (const Object& one : root.list("trace")) {
      one.only({"name", "at_ns", "duration_ns"});
      out.trace.push_back({one.word("name"), one.at_least_zero("at_ns"), one.positive("duration_ns")});
      if (out.trace.size() > 1 && out.trace[out.trace.size() - 2].at > out.trace.back().at)
        one.fail("must not be before that of the one above", "at_ns");
    }
  return out;
}

TaskSet read_task_set(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream text;
  if (!in || !(text << in.rdbuf())) throw InputError(file + ": cannot be read; give a file of iomc.tasks/1");
  return parse_task_set(text.str(), file);
}

}  // namespace iomc::check::cost
