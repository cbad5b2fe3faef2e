// SPDX-License-Identifier: GPL-2.0-or-later
#include "checker/cost/models.hpp"

#include <algorithm>
#include <charconv>
#include <set>

#include "checker/cost/model_parts.hpp"

namespace iomc::check::cost {

EventCounts Counted::events() const {
  EventCounts out;
  for (const auto& [name, n] : counts)
    if (n != 0) out.emplace_back(name, static_cast<double>(n));
  return out;
}

std::int64_t Counted::operator[](const std::string& name) const {
  for (const auto& [known, n] : counts)
    if (known == name) return n;
  return 0;
}

const std::vector<std::unique_ptr<Model>>& models() {
  static const std::vector<std::unique_ptr<Model>> all = [] {
    std::vector<std::unique_ptr<Model>> out;
    out.push_back(make_iova_model());
    out.push_back(make_vfio_model());
    out.push_back(make_vmd_model());
    return out;
  }();
  return all;
}

const Model& find_model(const std::string& spec) {
  std::string known;
  for (const auto& m : models()) {
    if (m->spec() == spec) return *m;
    known += (known.empty() ? "" : ", ") + m->spec();
  }
  throw InputError("cost " + spec + ": no such specification; there are: " + known);
}

Sweep parse_sweep(const Model& model, const std::string& text) {
  const auto fail = [&](const std::string& why) -> InputError { return InputError("--sweep " + text + ": " + why); };
  const auto equals = text.find('=');
  if (equals == std::string::npos) throw fail("give NAME=A..B or NAME=A,B,C");
  Sweep out;
  out.name = text.substr(0, equals);
  std::string known;
  const Parameter* parameter = nullptr;
  const auto parameters = model.parameters();
  for (const Parameter& p : parameters) {
    if (out.name == p.name) parameter = &p;
    known += (known.empty() ? "" : ", ") + std::string(p.name);
  }
  if (parameter == nullptr) throw fail("no such size; " + model.spec() + " has: " + known);
  const auto number_of = [&](const std::string& word) {
    std::int64_t v = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), v);
    if (error != std::errc{} || end != word.data() + word.size() || v < parameter->lo || v > parameter->hi)
      throw fail("'" + word + "' must be a number from " + std::to_string(parameter->lo) + " to " +
                 std::to_string(parameter->hi));
    return v;
  };
  const std::string values = text.substr(equals + 1);
  if (const auto dots = values.find(".."); dots != std::string::npos) {
    const std::int64_t from = number_of(values.substr(0, dots));
    const std::int64_t to = number_of(values.substr(dots + 2));
    if (from > to) throw fail("the first must not be above the last");
    for (std::int64_t v = from; v <= to; ++v) out.values.push_back(v);
    return out;
  }
  for (std::size_t at = 0; at <= values.size();) {
    const auto comma = std::min(values.find(',', at), values.size());
    out.values.push_back(number_of(values.substr(at, comma - at)));
    at = comma + 1;
  }
  return out;
}

namespace {

std::vector<Sizes> combinations(const Sizes& fixed, const std::vector<Sweep>& sweeps) {
  std::vector<Sizes> out{fixed};
  for (const Sweep& s : sweeps) {
    std::vector<Sizes> next;
    for (const Sizes& at : out)
      for (const std::int64_t v : s.values) {
        next.push_back(at);
        next.back()[s.name] = v;
      }
    out = std::move(next);
    if (out.size() > 1'000'000) throw InputError("--sweep: more than a million combinations; give fewer values");
  }
  return out;
}

/// Values to run: the first few, since small ones are cheap, then doubling, and the largest, which must confirm.
std::vector<std::int64_t> chosen(const std::vector<std::int64_t>& values) {
  std::set<std::int64_t> sorted(values.begin(), values.end());
  std::vector<std::int64_t> out;
  std::int64_t next = *sorted.begin();
  for (const std::int64_t v : sorted) {
    if (v < next && v != *sorted.rbegin()) continue;
    out.push_back(v);
    next = out.size() < 3 ? v + 1 : 2 * v;
  }
  return out;
}

class Sweeper {
 public:
  Sweeper(const Model& model, const FactValues& facts, const std::vector<Sweep>& sweeps)
      : model_(model), facts_(facts), parameters_(model.parameters()) {
    const auto looked_at = model.counted();
    for (const Sweep& s : sweeps)
      if (std::find(looked_at.begin(), looked_at.end(), s.name) != looked_at.end()) {
        varied_.push_back(s.name);
        for (const Parameter& p : parameters_)
          if (s.name == p.name) symbols_.emplace_back(p.symbol);
      }
  }

  /// Runs the chosen points of the grid and looks for a law of each count.
  void learn(const Sizes& fixed, const std::vector<Sweep>& sweeps) {
    std::vector<Sweep> grid;
    for (const Sweep& s : sweeps)
      if (std::find(varied_.begin(), varied_.end(), s.name) != varied_.end())
        grid.push_back({s.name, chosen(s.values)});
    for (const Sizes& at : combinations(fixed, grid)) counted(at);
    const Counted& any = made_.begin()->second;
    for (std::size_t i = 0; i < any.counts.size(); ++i) {
      std::vector<Sample> samples;
      for (const auto& [at, c] : made_) samples.push_back({at, Rational(c.counts[i].second)});
      laws_.push_back(find_law(samples));
    }
    std::vector<Sample> samples;
    for (const auto& [at, c] : made_) samples.push_back({at, Rational(c.nodes)});
    nodes_ = find_law(samples);
    all_known_ =
        nodes_.has_value() && std::all_of(laws_.begin(), laws_.end(), [](const auto& l) { return l.has_value(); });
  }

  Counted at(const Sizes& sizes) {
    const auto key = key_of(sizes);
    if (const auto found = made_.find(key); found != made_.end()) return found->second;
    if (!all_known_) return counted(sizes);
    Counted out = made_.begin()->second;
    for (std::size_t i = 0; i < laws_.size(); ++i)
      out.counts[i].second = static_cast<std::int64_t>(laws_[i]->at(key).value());
    out.nodes = static_cast<std::int64_t>(nodes_->at(key).value());
    return out;
  }
  std::size_t runs() const { return made_.size(); }
  bool by_law() const { return all_known_; }
  const std::vector<std::string>& varied() const { return varied_; }

  std::vector<LawLine> lines(const Counted& last) const {
    std::vector<LawLine> out;
    for (std::size_t i = 0; i < laws_.size(); ++i) {
      const auto& [name, value] = last.counts[i];
      if (laws_[i] ? laws_[i]->constant() && value == 0 : false) continue;
      out.push_back({name, value, laws_[i] ? laws_[i]->text(symbols_) : std::string()});
    }
    return out;
  }

 private:
  std::vector<std::int64_t> key_of(const Sizes& sizes) const {
    std::vector<std::int64_t> out;
    for (const auto& name : varied_) out.push_back(sizes.at(name));
    return out;
  }
  const Counted& counted(const Sizes& sizes) {
    auto [at, fresh] = made_.try_emplace(key_of(sizes));
    if (fresh) at->second = model_.count(facts_, sizes);
    return at->second;
  }

  const Model& model_;
  const FactValues& facts_;
  std::vector<Parameter> parameters_;
  std::vector<std::string> varied_;
  std::vector<std::string> symbols_;
  std::map<std::vector<std::int64_t>, Counted> made_;
  std::vector<std::optional<Law>> laws_;
  std::optional<Law> nodes_;
  bool all_known_ = false;
};

}  // namespace

SweepResult sweep(const Model& model, const FactValues& facts, Sizes fixed, const std::vector<Sweep>& sweeps,
                  const Profile& profile) {
  for (const Parameter& p : model.parameters()) fixed.try_emplace(p.name, p.standard);
  Sweeper sweeper(model, facts, sweeps);
  sweeper.learn(fixed, sweeps);
  SweepResult out;
  for (const Sizes& at : combinations(fixed, sweeps)) {
    Row row;
    row.sizes = at;
    row.counted = sweeper.at(at);
    row.price = price(row.counted.events(), profile, static_cast<double>(row.counted.nodes));
    row.derived = model.derive(facts, at, row.counted, profile);
    out.rows.push_back(std::move(row));
  }
  out.runs = sweeper.runs();
  if (!sweeper.varied().empty()) out.laws = sweeper.lines(out.rows.back().counted);
  return out;
}

}  // namespace iomc::check::cost
