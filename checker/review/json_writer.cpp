// SPDX-License-Identifier: GPL-2.0-or-later
// iomc.review/1; docs/review.schema.json describes its keys.
#include "checker/report/json_parts.hpp"
#include "checker/report/writers.hpp"
#include "checker/review/writers.hpp"

namespace iomc::review {

namespace {

using report::Json;

/// A value that may be unknown.
Json value_json(const std::optional<std::string>& value) { return value ? Json(*value) : Json(nullptr); }

Json fact_json(const check::FactChange& f) {
  Json out;
  out["fact"] = f.name;
  out["what"] = f.what;
  out["before"] = value_json(f.before);
  out["after"] = value_json(f.after);
  out["where_before"] = f.where_before;
  out["where_after"] = f.where_after;
  return out;
}

Json facts_json(const std::vector<check::FactChange>& facts) {
  Json out = Json::array();
  for (const auto& f : facts) out.push_back(fact_json(f));
  return out;
}

Json properties_json(const Reviewed& r) {
  Json out = Json::array();
  for (const auto& p : r.review.properties) {
    Json one;
    one["property"] = p.after.property;
    one["claim"] = p.after.claim;
    one["change"] = change_word(p);
    one["before"] = report::result_json(r.review.system, p.before, r.before);
    one["after"] = report::result_json(r.review.system, p.after, r.after);
    out.push_back(std::move(one));
  }
  return out;
}

Json costs_json(const check::Review& r) {
  Json out = Json::array();
  for (const auto& c : r.costs)
    out.push_back({{"workload", c.workload},
                   {"event", c.event},
                   {"before", c.before},
                   {"after", c.after},
                   {"ratio", c.before > 0 ? Json(c.after / c.before) : Json(nullptr)}});
  return out;
}

Json not_covered_json(const check::Review& r) {
  Json out = Json::array();
  for (const auto& u : r.not_covered)
    out.push_back({{"patch", u.source},
                   {"patch_line", u.patch_line},
                   {"file", u.file},
                   {"function", u.function},
                   {"first_line", u.first},
                   {"last_line", u.last},
                   {"why", u.why}});
  return out;
}

Json runs_json(const Reviewed& r, bool with_stats) {
  Json out = Json::object();
  for (std::size_t i = 0; i < r.runs.size(); ++i) {
    Json list = Json::array();
    for (const auto& e : r.runs[i].explorations) list.push_back(report::exploration_json(e));
    Json side;
    side["configurations"] = std::move(list);
    side["never_fired"] = r.runs[i].never_fired;
    if (with_stats) {
      const report::Totals t = report::totals(r.runs[i]);
      side["stats"] = {{"states_per_second", t.states_per_second()},
                       {"peak_memory_bytes", t.peak_memory_bytes},
                       {"seconds", t.seconds}};
    }
    out[i == 0 ? "before" : "after"] = std::move(side);
  }
  return out;
}

Json review_json(const Reviewed& reviewed, bool with_stats) {
  const check::Review& r = reviewed.review;
  Json out;
  out["spec"] = r.system;
  out["tree"] = r.tree;
  if (!r.build.empty()) out["build"] = r.build;
  out["patches"] = r.patches;
  out["verdict"] = verdict_word(r.exit);
  out["summary"] = r.verdict;
  out["facts"] = {{"before", report::words_json(r.before.values())}, {"after", report::words_json(r.after.values())}};
  out["sizes"] = report::words_json(reviewed.after.sizes);
  out["facts_changed"] = facts_json(r.facts_changed);
  out["facts_unknown"] = facts_json(r.unknown);
  out["checked"] = r.checked;
  out["reason"] = r.reason;
  out["properties"] = properties_json(reviewed);
  out["costs"] = costs_json(r);
  out["not_covered"] = not_covered_json(r);
  out["no_code_changed"] = r.no_code_changed;
  out["notes"] = r.notes;
  out["explored"] = runs_json(reviewed, with_stats);
  return out;
}

}  // namespace

std::string json_report(const std::vector<Reviewed>& all, const report::Options& options) {
  Json list = Json::array();
  for (const auto& r : all) list.push_back(review_json(r, options.stats));
  Json out;
  out["schema"] = "iomc.review/1";
  out["verdict"] = verdict_word(overall(all));
  out["reviews"] = std::move(list);
  return report::dump(out);
}

}  // namespace iomc::review
