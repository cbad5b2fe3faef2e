// SPDX-License-Identifier: GPL-2.0-or-later
// iomc.result/1 and iomc.replay/1. The keys are public interface: docs/result.schema.json describes them, and a key
// once given keeps its meaning. Values of facts and sizes are the words that --set takes, always as strings.
#include "checker/report/json_parts.hpp"
#include "checker/report/writers.hpp"

namespace iomc::report {

namespace {

template <class Pairs>
Json object_of(const Pairs& pairs) {
  Json out = Json::object();
  for (const auto& [key, value] : pairs) out[key] = value;
  return out;
}

Json step_json(const check::TraceStep& s) {
  Json out;
  out["choice"] = s.choice;
  out["cpu"] = s.cpu;
  out["context"] = s.context;
  out["step"] = s.step;
  out["function"] = s.function;
  out["file"] = s.file;
  out["what"] = s.what;
  out["locks"] = s.locks;
  Json changes = Json::object();
  for (const auto& c : s.changes) changes[c.field] = {{"before", c.before}, {"after", c.after}};
  out["changes"] = std::move(changes);
  out["cost"] = object_of(s.cost);
  return out;
}

Json counterexample_json(const check::Counterexample& c) {
  Json out;
  out["path"] = c.path;
  out["initial"] = c.initial;
  out["conclusion"] = c.conclusion;
  out["confirmed"] = c.confirmed;
  if (c.loop_start) {
    out["loop_start"] = *c.loop_start;
    out["owed_from"] = c.owed_from;
    out["fairness"] = c.fairness;
  }
  Json steps = Json::array();
  for (const auto& s : c.steps) steps.push_back(step_json(s));
  out["steps"] = std::move(steps);
  return out;
}

}  // namespace

std::string dump(const Json& json) {
  // Text from a kernel tree may hold bytes that are no UTF-8; a report is not lost over them.
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

Json words_json(const std::vector<std::pair<std::string, std::string>>& words) { return object_of(words); }

Json result_json(const std::string& spec, const check::PropertyResult& r, const Options& options) {
  Json out;
  out["property"] = r.property;
  out["claim"] = r.claim;
  out["verdict"] = check::name(r.verdict);
  out["vacuous"] = r.vacuous;
  out["configuration"] = r.configuration;
  out["scope"] = r.scope;
  out["reason"] = r.reason;
  out["states"] = r.states;
  out["transitions"] = r.transitions;
  out["depth"] = r.depth;
  if (!r.counted.empty()) out["counted"] = r.counted;
  if (!r.assumes.empty()) out["assumes"] = r.assumes;
  if (!r.assumption_of.empty()) out["assumption_of"] = r.assumption_of;
  if (!r.engines.empty()) {
    Json engines = Json::object();
    for (const auto& e : r.engines)
      engines[e.engine] = {{"verdict", check::name(e.verdict)}, {"depth", e.depth}, {"reason", e.reason}};
    out["engines"] = std::move(engines);
  }
  if (r.counterexample) {
    out["counterexample"] = counterexample_json(*r.counterexample);
    out["counterexample"]["replay"] = replay_line(spec, r, options);
  }
  return out;
}

Json solving_json(const check::Solving& s, const Options& options) {
  Json out = {{"solver", s.solver},       {"logic", s.logic},         {"random_seed", s.random_seed},
              {"rlimit", s.rlimit},       {"conflicts", s.conflicts}, {"decisions", s.decisions},
              {"checks", s.checks},       {"paths", s.paths},         {"paths_kept", s.kept},
              {"fields", s.fields},       {"rounds", s.rounds}};
  if (options.stats) out["enumeration_seconds"] = s.enumeration_seconds;
  return out;
}

Json exploration_json(const check::Exploration& e, const Options& options) {
  Json out;
  out["engine"] = e.engine;
  out["configuration"] = e.configuration;
  out["scope"] = e.scope;
  out["complete"] = e.complete;
  out["reason"] = e.reason;
  out["states"] = e.states;
  out["transitions"] = e.transitions;
  out["depth"] = e.depth;
  Json coverage = Json::object();
  for (const auto& s : e.coverage) coverage[s.step] = s.fired;
  out["coverage"] = std::move(coverage);
  Json verdicts = Json::object();
  for (const auto& r : e.results) verdicts[r.property] = check::name(r.verdict);
  out["verdicts"] = std::move(verdicts);
  if (e.solving) out["solving"] = solving_json(*e.solving, options);
  return out;
}

std::string json_report(const check::RunResult& run, const Options& options) {
  Json out;
  out["schema"] = "iomc.result/1";
  out["spec"] = run.spec;
  out["kernel"] = run.kernel;
  out["verdict"] = check::name(overall(run));
  out["facts"] = object_of(run.facts);
  out["sizes"] = object_of(options.sizes);
  Json results = Json::array();
  for (const auto& r : run.results) results.push_back(result_json(run.spec, r, options));
  out["results"] = std::move(results);
  Json configurations = Json::array();
  for (const auto& e : run.explorations) configurations.push_back(exploration_json(e, options));
  out["configurations"] = std::move(configurations);
  out["never_fired"] = run.never_fired;
  if (options.stats) {
    const Totals t = totals(run);
    out["stats"] = {{"states_per_second", t.states_per_second()},
                    {"peak_memory_bytes", t.peak_memory_bytes},
                    {"seconds", t.seconds}};
  }
  return dump(out);
}

std::string json_replay(const std::vector<Replayed>& replayed, const Options&) {
  Json list = Json::array();
  for (const auto& r : replayed) {
    Json entry;
    entry["spec"] = r.spec;
    entry["kernel"] = r.kernel;
    entry["property"] = r.property;
    entry["claim"] = r.claim;
    entry["configuration"] = r.configuration;
    entry["path"] = r.path;
    entry["outcome"] = name(r.outcome);
    entry["reason"] = r.reason;
    if (!r.code.empty()) entry["code"] = r.code;
    if (r.counterexample) entry["counterexample"] = counterexample_json(*r.counterexample);
    list.push_back(std::move(entry));
  }
  return dump({{"schema", "iomc.replay/1"}, {"replays", std::move(list)}});
}

}  // namespace iomc::report
