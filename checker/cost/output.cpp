// SPDX-License-Identifier: GPL-2.0-or-later
#include "checker/cost/output.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <set>

#include "checker/process.hpp"

namespace iomc::check::cost {

namespace {

/// Counts that are not zero in every row.
std::vector<std::size_t> shown_counts(const SweepResult& r) {
  std::vector<std::size_t> out;
  for (std::size_t i = 0; i < r.rows.front().counted.counts.size(); ++i)
    if (std::any_of(r.rows.begin(), r.rows.end(), [&](const Row& row) { return row.counted.counts[i].second != 0; }))
      out.push_back(i);
  return out;
}

std::string exact(double v) {
  std::array<char, 40> text{};
  std::snprintf(text.data(), text.size(), "%.10g", v);
  return text.data();
}

std::string csv_word(const std::string& w) {
  if (w.find_first_of(",\"\n") == std::string::npos) return w;
  std::string out = "\"";
  for (const char c : w) out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + "\"";
}

std::string symbols_of(const Model& model, const SweepResult& r, const std::vector<Sweep>& sweeps) {
  std::string out;
  if (r.laws.empty()) return out;
  for (const Parameter& p : model.parameters())
    for (const Sweep& s : sweeps)
      if (s.name == p.name) out += (out.empty() ? "" : ", ") + std::string(p.symbol) + " = " + p.name;
  return out;
}

void add_laws(const Model& model, const SweepResult& r, const std::vector<Sweep>& sweeps, Table& out) {
  if (r.laws.empty()) return;
  out.notes.push_back("Growth, exact through " + std::to_string(r.runs) + " runs (" + symbols_of(model, r, sweeps) +
                      "); the value is the last row's:");
  std::string constant;
  for (const LawLine& l : r.laws) {
    const std::string value = std::to_string(l.value);
    if (l.law == value)
      constant += (constant.empty() ? "" : ", ") + l.name + " " + value;
    else
      out.notes.push_back(
          "  " + l.name + ": " + value +
          (l.law.empty() ? ", and no polynomial of degree 3 or quotient goes through all runs" : " = " + l.law));
  }
  if (!constant.empty()) out.notes.push_back("  constant: " + constant);
}

void add_origins(const SweepResult& r, const Profile& profile, Table& out) {
  std::set<std::string> unpriced;
  std::map<Provenance, std::set<std::string>> origins;
  for (const Row& row : r.rows) {
    unpriced.insert(row.price.unpriced.begin(), row.price.unpriced.end());
    for (const Part& p : row.price.parts)
      if (p.ns.hi > 0) origins[p.provenance].insert(p.event);
  }
  std::string text = "Prices of " + profile.name + " (" + profile.what + ")";
  for (const auto& [provenance, events] : origins) {
    text += std::string("; ") + name(provenance) + ":";
    for (const auto& e : events) text += " " + e;
  }
  out.notes.push_back(text + ".");
  if (unpriced.empty()) return;
  text = "No price, so that times are lower bounds:";
  for (const auto& e : unpriced) text += " " + e;
  out.notes.push_back(text + ".");
}

}  // namespace

Table sweep_table(const Model& model, const SweepResult& r, const std::vector<Sweep>& sweeps, const Profile& profile,
                  const std::string& what) {
  Table out;
  out.spec = model.spec();
  out.name = "cost";
  out.title = model.operation() + "; " + what;
  for (const Sweep& s : sweeps) out.columns.push_back(s.name);
  const auto counts = shown_counts(r);
  for (const std::size_t i : counts) out.columns.push_back(r.rows.front().counted.counts[i].first);
  out.columns.emplace_back("time");
  for (const Derived& d : r.rows.front().derived)
    out.columns.push_back(d.name + (d.unit == "ns" ? "" : " (" + d.unit + ")"));
  for (const Row& row : r.rows) {
    std::vector<std::string> cells;
    for (const Sweep& s : sweeps) cells.push_back(std::to_string(row.sizes.at(s.name)));
    for (const std::size_t i : counts) cells.push_back(std::to_string(row.counted.counts[i].second));
    cells.push_back(time_text(row.price.ns));
    for (const Derived& d : row.derived) cells.push_back(d.unit == "ns" ? time_text(d.value) : text(d.value));
    out.rows.push_back(std::move(cells));
  }
  std::string fixed;
  for (const auto& [size, v] : r.rows.front().sizes)
    if (std::none_of(sweeps.begin(), sweeps.end(), [&](const Sweep& s) { return s.name == size; }))
      fixed += (fixed.empty() ? "" : ", ") + size + "=" + std::to_string(v);
  if (!fixed.empty()) out.notes.push_back("Fixed: " + fixed + ".");
  add_laws(model, r, sweeps, out);
  add_origins(r, profile, out);
  return out;
}

std::vector<Steady> steady_states(const Model& model, const FactValues& facts, const SweepResult& result,
                                  const Profile& profile, const SimulationOptions& options) {
  constexpr std::size_t most_rows = 512;
  if (result.rows.size() > most_rows)
    throw InputError("--steady: " + std::to_string(result.rows.size()) + " rows to simulate; give fewer values, " +
                     std::to_string(most_rows) + " at most");
  std::vector<Steady> out;
  for (const Row& row : result.rows) {
    const Network network = model.network(facts, row.sizes, row.counted, profile);
    const SimulationResult r = simulate(network, options);
    Steady s;
    s.precise = r.precise;
    double squares = 0;
    for (const ClassResult& c : r.classes) {
      s.rate.mean += 1e9 * c.throughput.mean;
      squares += 1e18 * c.throughput.half_width * c.throughput.half_width;
    }
    s.rate.half_width = std::sqrt(squares);
    const auto busiest = std::max_element(r.utilisation.begin(), r.utilisation.end());
    s.busiest = network.stations[static_cast<std::size_t>(busiest - r.utilisation.begin())].name + " " +
                number(100 * *busiest) + "%";
    out.push_back(std::move(s));
    if (options.interrupted != nullptr && *options.interrupted) break;
  }
  return out;
}

void add_steady(const std::vector<Steady>& steady, std::uint64_t seed, Table& table) {
  table.columns.emplace_back("steady state (/s)");
  table.columns.emplace_back("busiest");
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    const bool done = i < steady.size();
    table.rows[i].push_back(done ? number(steady[i].rate.mean) + " +-" + number(steady[i].rate.half_width) +
                                       (steady[i].precise ? "" : " (not precise)")
                                 : "interrupted");
    table.rows[i].push_back(done ? steady[i].busiest : "-");
  }
  table.notes.push_back("Steady state: discrete-event simulation, exponential times around the central values, seed " +
                        std::to_string(seed) + ", 95% intervals by batch means, stopped at a half width of 1%.");
}

std::string sweep_csv(const Model& model, const SweepResult& r, const std::vector<Sweep>& sweeps) {
  std::string out;
  std::vector<std::string> head;
  for (const Parameter& p : model.parameters()) head.emplace_back(p.name);
  for (const auto& [event, n] : r.rows.front().counted.counts) head.push_back(event);
  for (const char* end : {"", "_least", "_most"}) head.push_back(std::string("time_ns") + end);
  for (const Derived& d : r.rows.front().derived)
    for (const char* end : {"", " least", " most"}) head.push_back(d.name + " " + d.unit + end);
  const auto line = [&](const std::vector<std::string>& cells) {
    for (std::size_t i = 0; i < cells.size(); ++i) out += (i == 0 ? "" : ",") + csv_word(cells[i]);
    out += "\n";
  };
  line(head);
  for (const Row& row : r.rows) {
    std::vector<std::string> cells;
    for (const Parameter& p : model.parameters()) cells.push_back(std::to_string(row.sizes.at(p.name)));
    for (const auto& [event, n] : row.counted.counts) cells.push_back(std::to_string(n));
    const auto range = [&](const Range& v) {
      for (const double x : {v.value, v.lo, v.hi}) cells.push_back(exact(x));
    };
    range(row.price.ns);
    for (const Derived& d : row.derived) range(d.value);
    line(cells);
  }
  (void)sweeps;
  return out;
}

namespace {

struct Curve {
  std::string title;
  std::vector<std::pair<std::int64_t, Range>> points;
};

/// What is plotted: the rates of the model's last unit where it has some, else the time.
std::vector<Curve> curves_of(const SweepResult& r, const std::vector<Sweep>& sweeps, std::string& axis) {
  std::vector<std::string> rates;
  const auto& derived = r.rows.front().derived;
  axis = "ns";
  if (!derived.empty() && derived.back().unit.find("I/O") != std::string::npos) {
    axis = derived.back().unit;
    for (const Derived& d : derived)
      if (d.unit == axis) rates.push_back(d.name);
  }
  constexpr std::size_t most_curves = 8;
  std::vector<std::int64_t> others{0};
  if (sweeps.size() > 1) {
    const auto& all = sweeps[1].values;
    const std::size_t room = std::max<std::size_t>(1, most_curves / std::max<std::size_t>(1, rates.size()));
    others.clear();
    const std::size_t n = std::min(room, all.size());
    for (std::size_t i = 0; i < n; ++i) others.push_back(all[n == 1 ? 0 : i * (all.size() - 1) / (n - 1)]);
  }
  std::vector<Curve> out;
  for (const std::int64_t other : others)
    for (std::size_t k = 0; k < std::max<std::size_t>(1, rates.size()); ++k) {
      Curve c;
      c.title = rates.empty() ? "one operation" : rates[k];
      if (sweeps.size() > 1) c.title += ", " + sweeps[1].name + " " + std::to_string(other);
      for (const Row& row : r.rows) {
        if (sweeps.size() > 1 && row.sizes.at(sweeps[1].name) != other) continue;
        Range v = row.price.ns;
        for (const Derived& d : row.derived)
          if (!rates.empty() && d.name == rates[k]) v = d.value;
        c.points.emplace_back(row.sizes.at(sweeps[0].name), v);
      }
      out.push_back(std::move(c));
    }
  return out;
}

std::string plot_text(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += "\\";
    out += c;
  }
  return out + "\"";
}

}  // namespace

std::string sweep_svg(const Model& model, const SweepResult& r, const std::vector<Sweep>& sweeps,
                      const Profile& profile, const std::string& what) {
  if (sweeps.empty()) throw InputError("--format svg: a plot needs --sweep NAME=A..B for its x axis");
  std::string axis;
  const auto curves = curves_of(r, sweeps, axis);
  std::string script =
      "set terminal svg size 900,600 font 'sans,14' background rgb 'white'\n"
      "set grid lc rgb 'gray'\nset key outside below\nset termoption noenhanced\n";
  const bool wide = curves.front().points.back().second.value > 50 * curves.front().points.front().second.value;
  if (wide) script += "set logscale y\n";
  script += "set xlabel " + plot_text(sweeps[0].name) + "\nset ylabel " + plot_text(axis) + "\n";
  script += "set title " + plot_text(model.spec() + ", " + what + ", " + profile.name) + "\n";
  for (std::size_t i = 0; i < curves.size(); ++i) {
    script += "$c" + std::to_string(i) + " << EOD\n";
    for (const auto& [x, v] : curves[i].points)
      script += std::to_string(x) + " " + exact(v.value) + " " + exact(v.lo) + " " + exact(v.hi) + "\n";
    script += "EOD\n";
  }
  script += "plot ";
  for (std::size_t i = 0; i < curves.size(); ++i) {
    const std::string n = std::to_string(i + 1);
    const std::size_t every = std::max<std::size_t>(1, curves[i].points.size() / 16);
    if (i != 0) script += ", ";
    // The range as a light band for a single line: several would hide each other.
    if (curves.size() <= 2)
      script += "$c" + std::to_string(i) +
                " using 1:3:4 with filledcurves fs transparent solid 0.15 lc rgb 'black' notitle, ";
    script += "$c" + std::to_string(i) + " using 1:2 with linespoints lc rgb 'black' lw 2 dt " + n + " pt " + n +
              " pi " + std::to_string(every) + " title " + plot_text(curves[i].title);
  }
  script += "\n";
  Command gnuplot;
  gnuplot.argv = {"gnuplot", "-"};
  gnuplot.package = "gnuplot-nox";
  gnuplot.input = script;
  gnuplot.limit_seconds = 60;
  return run_checked(gnuplot).out;
}

}  // namespace iomc::check::cost
