// SPDX-License-Identifier: GPL-2.0-or-later
// A specification behind the System interface: what all systems share. A system says what is its own in Traits:
//
//   Facts, Config, Kernel, NamedConfiguration, Sizes
//   name, title                                  texts
//   files()                                      kernel files whose code is specified
//   kernels(), configurations()                  spans; a kernel has name, source, facts; a configuration has name,
//                                                what, by_default, applies(facts)
//   steps()                                      the table of StepInfo
//   size_names                                   an array of SizeName<Sizes>; the sizes are config.sizes
//   make(configuration, facts) -> Config
//   resized(config, before)                      after sizes were set; `before` are the configuration's own
//   scope(config) -> std::string
//   with_spec(config, f)                         calls f(spec) with a specification that has room; returns its result
//   properties<Spec>() -> vector<model::Property<Spec>>
//   leads_to<Spec>(const Config*) -> vector<model::LeadsTo<Spec>>
//                                                optional: liveness of this configuration; nullptr: all of it
//   in_kernel(step index, facts)                 optional: whether that kernel has the step at all
//   AnySpec                                      one of the types that with_spec makes, to list the properties of
#pragma once

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>

#include "checker/ask/parameters.hpp"
#include "checker/ask/reachable.hpp"
#include "checker/ask/sweep.hpp"
#include "checker/cost/explore_cost.hpp"
#include "checker/explicit/explorer.hpp"
#include "checker/explicit/liveness.hpp"
#include "checker/explicit/walk.hpp"
#include "checker/system.hpp"
#include "checker/systems/engines.hpp"
#include "checker/systems/symbolic.hpp"
#include "model/facts.hpp"

namespace iomc::check {

template <class Sizes>
struct SizeName {
  const char* name;
  const char* what;
  unsigned Sizes::*member;
  unsigned lo;
  unsigned hi;
  unsigned counted_hi = 0;  ///< where a system counts runs at real sizes: the most that those take
  std::span<const std::string_view> words = {};  ///< the values lo, lo + 1, … as words
};

/// The values a size may have, as text.
template <class Sizes>
std::string allowed(const SizeName<Sizes>& s) {
  std::string out;
  for (const auto& w : s.words) out += (out.empty() ? "" : ", ") + std::string(w);
  return s.words.empty() ? std::to_string(s.lo) + ".." + std::to_string(s.hi) : out;
}

inline const char* name(model::PropertyKind k) {
  switch (k) {
    case model::PropertyKind::safety: return "safety";
    case model::PropertyKind::completeness: return "completeness";
    case model::PropertyKind::performance: return "performance";
    case model::PropertyKind::liveness: break;
  }
  return "liveness";
}

inline PropertyText text_of(const model::PropertyInfo& p) { return {p.id, p.claim, p.why, p.source, name(p.kind)}; }

template <class Traits>
class SystemOf : public System {
 public:
  using Facts = typename Traits::Facts;
  using Config = typename Traits::Config;
  using NamedConfiguration = typename Traits::NamedConfiguration;
  using AnySpec = typename Traits::AnySpec;

  std::string name() const override { return Traits::name; }
  std::string title() const override { return Traits::title; }
  std::vector<std::string> files() const override { return Traits::files(); }
  std::vector<NamedText> kernels() const override {
    std::vector<NamedText> out;
    for (const auto& k : Traits::kernels()) out.push_back({std::string(k.name), std::string(k.source)});
    return out;
  }
  std::vector<PropertyText> properties() const override {
    std::vector<PropertyText> out;
    for (const auto& p : Traits::template properties<AnySpec>()) out.push_back(text_of(p.info));
    const auto list = [&](const PropertyText& p) {
      if (std::none_of(out.begin(), out.end(), [&](const auto& o) { return o.id == p.id; })) out.push_back(p);
    };
    for (const auto& p : leads_to<AnySpec>()) list(text_of(p.info));
    for (const auto& p : leads_to<AnySpec>())
      for (const auto& a : p.assumptions)
        list({a.id, a.text, "liveness rests on it: it is not a theorem", "an assumption", "liveness"});
    for (const auto& info : further_properties()) out.push_back(text_of(info));
    return out;
  }
  std::vector<StepText> steps() const override {
    std::vector<StepText> out;
    for (const auto& s : Traits::steps()) out.push_back({s.name, s.function, s.file, s.what});
    return out;
  }
  std::vector<FactText> fact_texts() const override {
    std::vector<FactText> out;
    Facts f;
    Facts::visit(f, [&](const model::FactInfo& i, auto& value) {
      out.push_back({i.name, i.what, i.file, i.function, i.source, model::parse_fact(i, "?", value)});
    });
    return out;
  }
  std::vector<NamedText> configurations() const override {
    std::vector<NamedText> out;
    for (const auto& c : Traits::configurations())
      out.push_back({c.name, std::string(c.what) + (c.by_default ? "" : " [only with --config]")});
    return out;
  }
  std::vector<NamedText> sizes() const override {
    std::vector<NamedText> out;
    for (const auto& s : Traits::size_names)
      out.push_back({s.name, std::string(s.what) + ", " + allowed(s) +
                                 (s.counted_hi == 0 ? "" : "; where only counted properties are asked for, .." +
                                                               std::to_string(s.counted_hi))});
    return out;
  }

  std::vector<NamedValue> facts(const std::string& kernel) const override {
    std::string known;
    for (const auto& k : Traits::kernels()) {
      if (k.name == kernel) return model::list_facts(k.facts);
      known += (known.empty() ? "" : ", ") + std::string(k.name);
    }
    throw InputError(name() + " has no kernel '" + kernel + "'; it has: " + known);
  }

  void set(const std::string& name, const std::string& value, std::vector<NamedValue>& facts,
           std::vector<NamedValue>& sizes) const override {
    for (const auto& size : Traits::size_names)
      if (name == size.name) {
        to_size(size, value, std::max(size.hi, size.counted_hi));
        sizes.emplace_back(name, value);
        return;
      }
    Facts checked = to_facts(facts);
    const auto answer = model::set_fact(checked, name, value);
    if (!answer)
      throw InputError(this->name() + " has no fact or size '" + name + "'; see: iomc list facts, iomc list sizes");
    if (!answer->empty()) throw InputError("--set " + name + "=" + value + ": the value must be " + *answer);
    facts = model::list_facts(checked);
  }

  RunResult check(const CheckRequest& request) const override {
    const Facts f = to_facts(request.facts);
    for (const auto& id : request.properties) require_property(id);
    RunResult out;
    out.spec = name();
    out.kernel = request.kernel;
    out.facts = request.facts;
    const auto start = std::chrono::steady_clock::now();
    for (const NamedConfiguration* which : chosen(request, f)) {
      if (only_further(request)) break;
      const Config c = sized(*which, f, request);
      const double gone = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
      check_one(c, request, gone, out.explorations);
    }
    out.results = request.engine == Engine::all ? merge_engines(out.explorations) : merge(out.explorations);
    check_further(request, f, out.results);
    const auto steps = Traits::steps();
    for (std::size_t i = 1; i < steps.size(); ++i) {
      const auto uncounted = [](const Exploration& e) { return e.coverage.empty(); };
      if (std::all_of(out.explorations.begin(), out.explorations.end(), uncounted)) break;
      const bool fired = std::any_of(out.explorations.begin(), out.explorations.end(),
                                     [&](const auto& e) { return !e.coverage.empty() && e.coverage[i].fired != 0; });
      if constexpr (requires { Traits::in_kernel(i, f); })
        if (!Traits::in_kernel(i, f)) continue;
      if (!fired) out.never_fired.push_back(steps[i].name);
    }
    return out;
  }

  std::unique_ptr<Walk> walk(const CheckRequest& request) const override {
    for (const auto& id : request.properties) require_property(id);
    const Facts f = to_facts(request.facts);
    const auto which = chosen(request, f);
    if (which.empty()) throw InputError(name() + " has no configuration that this kernel can have");
    const Config c = sized(*which.front(), f, request);
    return Traits::with_spec(c, [&](const auto& spec) -> std::unique_ptr<Walk> {
      using Spec = std::remove_cvref_t<decltype(spec)>;
      return std::make_unique<WalkOf<Spec>>(spec, chosen_properties<Spec>(request), c.name, Traits::scope(c));
    });
  }

  std::optional<Allowed> possible(const std::string& name) const override {
    for (const auto& size : Traits::size_names)
      if (name == size.name) {
        Allowed out{{}, size.lo, size.hi};
        for (const auto& w : size.words) out.words.emplace_back(w);
        return out;
      }
    std::optional<Allowed> out;
    Facts f;
    Facts::visit(f, [&](const model::FactInfo& info, auto& value) {
      if (name != info.name) return;
      using Value = std::remove_reference_t<decltype(value)>;
      out = Allowed{};
      if constexpr (std::is_same_v<Value, bool>) {
        out->words = {"false", "true"};
      } else if constexpr (std::is_enum_v<Value>) {
        for (const auto& w : info.words) out->words.emplace_back(w);
      }
    });
    return out;
  }

  ask::Answer ask(const ask::Question& question, const CheckRequest& request) const override {
    const auto start = std::chrono::steady_clock::now();
    ask::Answer out = answer(question, request);
    out.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return out;
  }

  Counterexample replay(const CheckRequest& request, const std::string& property,
                        const std::string& path) const override {
    require_property(property);
    const Facts f = to_facts(request.facts);
    const auto which = chosen(request, f);
    if (which.empty())
      throw InputError("replay needs the configuration the counterexample was found in: --config NAME");
    return Traits::with_spec(sized(*which.front(), f, request), [&](const auto& spec) {
      using Spec = std::remove_cvref_t<decltype(spec)>;
      const auto live = leads_to<Spec>(&spec.config());
      if (auto judged = replay_leads_to(spec, std::span<const model::LeadsTo<Spec>>(live), property, path))
        return *judged;
      const Run<Spec> run = follow(spec, parse_path(path));
      Counterexample out = render(spec, run);
      if (property == deadlock()) {
        out.confirmed = deadlocked_at_end(spec, run, out.conclusion);
        if (!out.confirmed) out.conclusion = "a step can be taken at the end of this path, or none is owed there";
        return out;
      }
      const auto all = Traits::template properties<Spec>();
      const auto p = std::find_if(all.begin(), all.end(), [&](const auto& x) { return x.info.id == property; });
      out.confirmed = p != all.end() && violates_at_end(spec, *p, run, out.conclusion);
      if (!out.confirmed) out.conclusion = property + " does not fail at the end of this path, or fails before it";
      return out;
    });
  }

  std::vector<CostBounds> cost_bounds(const CheckRequest& request,
                                      const std::function<std::uint64_t(const model::CostCount&)>& weigh,
                                      unsigned steps) const override {
    const Facts f = to_facts(request.facts);
    std::vector<CostBounds> out;
    for (const NamedConfiguration* which : chosen(request, f)) {
      const Config c = sized(*which, f, request);
      out.push_back(Traits::with_spec(c, [&](const auto& spec) { return bounds_of(spec, request, weigh, steps); }));
      out.back().configuration = which->name;
      out.back().scope = Traits::scope(c);
    }
    return out;
  }

  std::vector<WorkloadCost> costs(const std::vector<NamedValue>&) const override { return {}; }

 protected:
  /// "iova.search": questions that a system answers in its own way.
  virtual std::optional<ask::Answer> ask_part(const ask::Question& question, const CheckRequest&) const {
    throw InputError("question: there is no '" + question.spec + "' to ask about");
  }

  /// Properties that no exploration decides: counted runs, tables.
  virtual std::vector<model::PropertyInfo> further_properties() const { return {}; }
  virtual void check_further(const CheckRequest&, const Facts&, std::vector<PropertyResult>&) const {}

  template <class Spec>
  static CostBounds bounds_of(const Spec& spec, const CheckRequest& request,
                              const std::function<std::uint64_t(const model::CostCount&)>& weigh, unsigned steps) {
    Limits limits;
    limits.states = request.limit_states;
    limits.memory_bytes = request.limit_memory_bytes;
    limits.seconds = request.limit_seconds;
    limits.interrupted = request.interrupted;
    const Watch watch{limits};
    const cost::CostGraph graph = cost::explore_cost(spec, watch, weigh);
    CostBounds out;
    out.states = graph.edges.size();
    out.incomplete = graph.incomplete;
    if (!out.incomplete.empty()) return out;
    const auto path = [&](const cost::CostRun& run) {
      const auto first = std::find(graph.initial.begin(), graph.initial.end(), run.from);
      std::string text = std::to_string(first - graph.initial.begin());
      for (const std::uint32_t i : run.taken) text += "/" + std::to_string(i);
      return text;
    };
    const cost::Dearest worst = cost::dearest(graph);
    out.unbounded = worst.unbounded;
    out.worst = worst.cost;
    out.worst_path = path(worst.run);
    cost::GraphState at = worst.run.from;
    for (std::size_t i = 0; i < worst.run.taken.size(); ++i) {
      const cost::CostEdge& e = graph.edges[at][worst.run.taken[i]];
      if (!worst.unbounded || i >= worst.loop_start)
        out.worst_steps.emplace_back(spec.steps()[spec.step_of(e.label)].name);
      at = e.to;
    }
    cost::CostRun best;
    out.ends = cost::cheapest(graph, best);
    out.best = best.cost;
    if (out.ends) out.best_path = path(best);
    const cost::CostRun within = cost::dearest_within(graph, steps);
    out.within = within.cost;
    out.within_path = path(within);
    return out;
  }

  template <class Size>
  static unsigned to_size(const Size& size, const std::string& value, unsigned hi) {
    for (unsigned i = 0; i < size.words.size(); ++i)
      if (size.words[i] == value) return size.lo + i;
    if (!size.words.empty())
      throw InputError(std::string(size.name) + "=" + value + ": one of " + allowed(size) + " (" + size.what + ")");
    unsigned parsed = 0;
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), parsed);
    if (error != std::errc{} || end != value.data() + value.size() || parsed < size.lo || parsed > hi)
      throw InputError(std::string(size.name) + "=" + value +
                       (hi == size.hi ? ": exhaustive search takes " : ": it may be ") + std::to_string(size.lo) +
                       " to " + std::to_string(hi) + " (" + size.what + ")");
    return parsed;
  }

  /// Nothing that was asked for needs an exploration.
  bool only_further(const CheckRequest& request) const {
    const auto further = further_properties();
    const auto is_further = [&](const auto& id) {
      return std::any_of(further.begin(), further.end(), [&](const auto& info) { return info.id == id; });
    };
    return !request.properties.empty() &&
           std::all_of(request.properties.begin(), request.properties.end(), is_further);
  }

  static Facts to_facts(const std::vector<NamedValue>& values) {
    Facts f;
    for (const auto& [name, value] : values) {
      const auto answer = model::set_fact(f, name, value);
      if (!answer) throw InputError(std::string(Traits::name) + " has no fact '" + name + "'");
      if (!answer->empty()) throw InputError("fact " + name + ": '" + value + "' is not " + *answer);
    }
    return f;
  }

  void require_property(const std::string& id) const {
    if (id == deadlock()) return;
    for (const auto& p : properties())
      if (p.id == id) return;
    throw InputError(name() + " has no property '" + id + "'; see: iomc list properties");
  }

  /// Calls f(spec) with the specification of the request's first configuration.
  template <class F>
  static auto with_chosen(const CheckRequest& request, F&& f) {
    const Facts facts = to_facts(request.facts);
    const auto which = chosen(request, facts);
    if (which.empty())
      throw InputError("replay needs the configuration the counterexample was found in: --config NAME");
    return Traits::with_spec(sized(*which.front(), facts, request), f);
  }

 private:
  ask::Answer answer(const ask::Question& question, const CheckRequest& request) const {
    if (question.spec != Traits::name)
      if (auto own = ask_part(question, request)) return *own;
    const Facts f = to_facts(request.facts);
    if (ask::about_parameters(question, *this, request)) {
      ask::Answer out = ask::answer_parameters(question, *this, request);
      out.scope = "configurations: ";
      for (const NamedConfiguration* which : chosen(request, f)) out.scope += std::string(which->name) + " ";
      out.scope.pop_back();
      return out;
    }
    if (request.configurations.size() != 1)
      throw InputError("question: fields of the state need one configuration: --config NAME; see: iomc list "
                       "configurations --spec " + std::string(Traits::name));
    const NamedConfiguration& which = *chosen(request, f).front();
    if (question.within) return within(question, request, which);
    if (!question.sweep.empty()) throw InputError("question: 'for' goes with 'within K steps'");
    const Config c = sized(which, f, request);
    ask::Answer out = Traits::with_spec(c, [&](const auto& spec) {
      typename std::remove_cvref_t<decltype(spec)>::State shape{};
      model::StepContext<typename std::remove_cvref_t<decltype(spec)>::Event> cx;
      spec.initial(shape, cx);
      const ask::Fields fields(shape, field_words());
      return ask::Reachable(spec, question, fields, limits_of(c, request, 0)).run();
    });
    out.configuration = c.name;
    out.scope = Traits::scope(c);
    return out;
  }

  ask::Answer within(const ask::Question& question, const CheckRequest& request,
                     const NamedConfiguration& which) const {
    const auto once = [&](const CheckRequest& r) {
      const Config c = sized(which, to_facts(r.facts), r);
      ask::Answer out = answer_within(c, question, field_words(), r);
      out.configuration = c.name;
      out.scope = Traits::scope(c);
      return out;
    };
    return ask::swept(question, request, once, *this);
  }

  /// The words of sizes for fields of the same names: a field counts from 0.
  static std::vector<ask::FieldWords> field_words() {
    std::vector<ask::FieldWords> out;
    for (const auto& s : Traits::size_names)
      if (!s.words.empty()) out.push_back({s.name, s.words});
    return out;
  }

  static Limits limits_of(const Config& c, const CheckRequest& request, double gone) {
    Limits limits;
    limits.states = request.limit_states;
    limits.memory_bytes = request.limit_memory_bytes;
    limits.interrupted = request.interrupted;
    if (request.limit_seconds > 0) limits.seconds = std::max(0.001, request.limit_seconds - gone);
    if (request.progress)
      limits.progress = [&request, name = c.name](const Progress& p) {
        request.progress({name, p.states, p.transitions, p.depth, p.queued, {}});
      };
    return limits;
  }

  template <class Spec>
  static std::vector<model::LeadsTo<Spec>> leads_to(const Config* config = nullptr) {
    if constexpr (requires { Traits::template leads_to<Spec>(config); })
      return Traits::template leads_to<Spec>(config);
    else
      return {};
  }

  /// The liveness properties that are asked for, and those that rest on an assumption that is.
  template <class Spec>
  static std::vector<model::LeadsTo<Spec>> chosen_leads_to(const CheckRequest& request, const Config& config) {
    auto all = leads_to<Spec>(&config);
    std::erase_if(all, [&](const auto& p) {
      return !asked(request, p.info.id) && std::none_of(p.assumptions.begin(), p.assumptions.end(),
                                                        [&](const auto& a) { return asked(request, a.id); });
    });
    return all;
  }

  static bool asked(const CheckRequest& request, const std::string& id) {
    return request.properties.empty() ||
           std::find(request.properties.begin(), request.properties.end(), id) != request.properties.end();
  }

  static std::string deadlock() { return std::string(Traits::name) + ".deadlock"; }

  static Config sized(const NamedConfiguration& which, const Facts& f, const CheckRequest& request) {
    Config c = Traits::make(which, f);
    const auto before = c.sizes;
    for (const auto& [name, value] : request.sizes)
      for (const auto& known : Traits::size_names)
        if (name == known.name) c.sizes.*known.member = to_size(known, value, known.hi);
    Traits::resized(c, before);
    return c;
  }

  static std::vector<const NamedConfiguration*> chosen(const CheckRequest& request, const Facts& facts) {
    std::vector<const NamedConfiguration*> out;
    for (const auto& name : request.configurations) {
      std::string known;
      const NamedConfiguration* found = nullptr;
      for (const auto& c : Traits::configurations()) {
        if (name == c.name) found = &c;
        known += (known.empty() ? "" : ", ") + std::string(c.name);
      }
      if (found == nullptr)
        throw InputError(std::string(Traits::name) + " has no configuration '" + name + "'; it has: " + known);
      if (!found->applies(facts))
        throw InputError("configuration '" + name + "' needs what this kernel does not have (" + found->what + ")");
      out.push_back(found);
    }
    if (request.configurations.empty())
      for (const auto& c : Traits::configurations())
        if (c.by_default && c.applies(facts)) out.push_back(&c);
    return out;
  }

  template <class Spec>
  static std::vector<model::Property<Spec>> chosen_properties(const CheckRequest& request) {
    auto all = Traits::template properties<Spec>();
    if (request.properties.empty()) return all;
    std::vector<model::Property<Spec>> out;
    for (const auto& id : request.properties)
      for (const auto& p : all)
        if (p.info.id == id) out.push_back(p);
    return out;
  }

  void check_one(const Config& c, const CheckRequest& request, double gone, std::vector<Exploration>& out) const {
    std::optional<std::uint64_t> diameter;
    if (request.engine != Engine::symbolic) {
      out.push_back(explore_one(c, request, gone));
      if (out.back().complete) diameter = out.back().depth;
    }
    if (request.engine == Engine::explorer) return;
    SymbolicRequest r;
    r.properties = request.properties;
    r.depth = request.depth != 0 ? request.depth : diameter ? *diameter + 1 : default_depth;
    r.effort = request.limit_effort;
    r.diameter = diameter;
    r.interrupted = request.interrupted;
    if (request.progress)
      r.tell = [&](const std::string& text) { request.progress({c.name, 0, 0, 0, 0, text}); };
    Exploration e = check_symbolically(c, r);
    e.configuration = c.name;
    e.scope = bounded_scope(Traits::scope(c), e);
    if (!request.properties.empty() &&
        std::find(request.properties.begin(), request.properties.end(), deadlock()) == request.properties.end())
      e.results.pop_back();
    using Spec = typename Traits::AnySpec;
    for (const auto& p : chosen_leads_to<Spec>(request, c)) add_undecided(e, text_of(p.info));
    for (auto& result : e.results) {
      result.configuration = c.name;
      result.scope = e.scope;
    }
    out.push_back(std::move(e));
    if (request.engine == Engine::all) require_agreement(out[out.size() - 2], out.back());
  }

  static Exploration explore_one(const Config& c, const CheckRequest& request, double gone) {
    const Limits limits = limits_of(c, request, gone);
    return Traits::with_spec(c, [&](const auto& spec) {
      using Spec = std::remove_cvref_t<decltype(spec)>;
      const auto properties = chosen_properties<Spec>(request);
      Exploration e = explore(spec, std::span<const model::Property<Spec>>(properties), limits);
      e.configuration = c.name;
      e.scope = Traits::scope(c);
      if (!request.properties.empty() &&
          std::find(request.properties.begin(), request.properties.end(), deadlock()) == request.properties.end())
        e.results.pop_back();
      const auto live = chosen_leads_to<Spec>(request, c);
      if (!live.empty())
        for (auto& r : check_leads_to(spec, std::span<const model::LeadsTo<Spec>>(live), limits))
          if (asked(request, r.property)) e.results.push_back(std::move(r));
      for (auto& r : e.results) {
        r.configuration = c.name;
        r.scope = e.scope;
      }
      return e;
    });
  }
};

}  // namespace iomc::check
