// SPDX-License-Identifier: GPL-2.0-or-later
// Only one lane acts in a row, so a step may write over the columns to its right; the bars of the lanes it does not
// cover stay visible. That keeps kernel names whole where equal columns would be too narrow for them.
#include "checker/report/lanes.hpp"

#include <algorithm>
#include <set>
#include <vector>

#include "checker/report/plain.hpp"

namespace iomc::report {

namespace {

using check::Counterexample;
using check::TraceStep;

constexpr std::size_t gutter = 6;          // "  12  "
constexpr std::size_t column_enough = 42;  // lanes as wide as this need not write over their neighbours
constexpr std::size_t label_enough = 12;   // lanes narrower than this are headed by a letter

struct Lane {
  int cpu;
  std::string context;
  std::string label;
};

struct Layout {
  std::vector<Lane> lanes;
  std::size_t width = 100;
  std::size_t pitch = 0;
  bool overlap = false;
  bool letters = false;

  std::size_t column(std::size_t lane) const { return gutter + lane * pitch + 2; }
  std::size_t room(std::size_t lane) const {
    const std::size_t end = overlap || lane + 1 == lanes.size() ? width : column(lane + 1) - 3;
    return end > column(lane) + 24 ? end - column(lane) : 24;
  }
};

std::string label_of(const TraceStep& s) {
  const std::string context = ascii(s.context);
  if (s.cpu < 0) return context.empty() ? "environment" : context;
  return "CPU" + std::to_string(s.cpu) + (context.empty() ? "" : " " + context);
}

std::size_t lane_of(const Layout& layout, const TraceStep& s) {
  const auto found = std::find_if(layout.lanes.begin(), layout.lanes.end(),
                                  [&](const Lane& l) { return l.cpu == s.cpu && l.context == s.context; });
  return static_cast<std::size_t>(found - layout.lanes.begin());
}

/// CPUs in order, the environment last; the contexts of a CPU as they first appear.
std::vector<Lane> lanes_of(const Counterexample& c) {
  std::vector<Lane> out;
  for (const auto& s : c.steps)
    if (std::none_of(out.begin(), out.end(), [&](const Lane& l) { return l.cpu == s.cpu && l.context == s.context; }))
      out.push_back({s.cpu, s.context, label_of(s)});
  std::stable_sort(out.begin(), out.end(), [](const Lane& a, const Lane& b) {
    return static_cast<unsigned>(a.cpu) < static_cast<unsigned>(b.cpu);
  });
  return out;
}

Layout layout_of(const Counterexample& c, unsigned width) {
  Layout out;
  out.lanes = lanes_of(c);
  out.width = std::max(width, 40U);
  const std::size_t n = out.lanes.size();
  const std::size_t room = out.width - gutter;
  if (n < 2) return out;
  out.pitch = room / n;
  out.overlap = out.pitch < column_enough;
  if (!out.overlap) return out;
  const std::size_t text = out.width >= 90 ? 48 : 40;
  out.pitch = std::clamp((room > text + 2 ? room - text - 2 : 0) / (n - 1), std::size_t{3}, std::size_t{26});
  out.letters = out.pitch < label_enough;
  return out;
}

/// One line: the bars of all lanes, then the text of one lane over them.
std::string line(const Layout& layout, const std::string& number, std::size_t lane, const std::string& text) {
  std::string out(layout.width, ' ');
  for (std::size_t i = 0; i < layout.lanes.size(); ++i)
    if (layout.column(i) - 2 < out.size()) out[layout.column(i) - 2] = '|';
  out.replace(0, number.size(), number);
  const std::size_t at = layout.column(lane);
  if (!text.empty()) {
    if (out.size() < at + text.size()) out.resize(at + text.size(), ' ');
    out.replace(at, text.size(), text);
    // A bar right behind the last letter would read as part of the word.
    const std::size_t behind = at + text.size();
    if (behind < out.size() && out[behind] == '|') out[behind] = ' ';
  }
  while (!out.empty() && out.back() == ' ') out.pop_back();
  return out + "\n";
}

std::string header(const Layout& layout) {
  std::string out;
  std::vector<std::vector<std::string>> labels;
  std::size_t rows = 0;
  for (std::size_t i = 0; i < layout.lanes.size(); ++i) {
    const std::string letter = i < 26 ? std::string(1, static_cast<char>('A' + i)) : std::to_string(i);
    if (layout.letters) out += "      lane " + letter + ": " + layout.lanes[i].label + "\n";
    const std::size_t room = i + 1 == layout.lanes.size() ? layout.width - layout.column(i) : layout.pitch - 3;
    labels.push_back(layout.letters ? std::vector{letter} : wrap(layout.lanes[i].label, room));
    rows = std::max(rows, labels.back().size());
  }
  for (std::size_t row = 0; row < rows; ++row) {
    std::string text = row == 0 ? "step  " : "      ";
    for (std::size_t i = 0; i < labels.size(); ++i) {
      text = pad(std::move(text), layout.column(i) - 2) + "  ";
      if (row < labels[i].size()) text += labels[i][row];
    }
    while (!text.empty() && text.back() == ' ') text.pop_back();
    out += text + "\n";
  }
  return out;
}

std::string cost_text(const std::vector<std::pair<std::string, std::uint64_t>>& cost) {
  std::string out;
  for (const auto& [event, n] : cost) out += (out.empty() ? "" : ", ") + ascii(event) + " " + std::to_string(n);
  return out;
}

void add_cost(std::vector<std::pair<std::string, std::uint64_t>>& sum, const TraceStep& s) {
  for (const auto& [event, n] : s.cost) {
    const auto found =
        std::find_if(sum.begin(), sum.end(), [&, &name = event](const auto& e) { return e.first == name; });
    if (found == sum.end())
      sum.emplace_back(event, n);
    else
      found->second += n;
  }
}

std::string base_name(const std::string& file) { return file.substr(file.rfind('/') + 1); }

/// What a step says, before it is put into its lane: the first line, then indented ones.
std::vector<std::string> sentences(const TraceStep& s, bool name_file, const std::string& cost_so_far) {
  std::string head = ascii(s.function.empty() ? s.step : s.function);
  if (!s.function.empty()) head += "()";
  if (!s.function.empty() && s.step != s.function) head += " [" + ascii(s.step) + "]";
  if (name_file && !s.file.empty()) head.append(" ").append(ascii(base_name(s.file)));
  std::vector<std::string> out{head};
  if (!s.what.empty()) out.push_back(ascii(s.what));
  out.push_back("locks: " + ascii(s.locks.empty() ? "none" : s.locks));
  for (const auto& c : s.changes) out.push_back(ascii(c.field + ": " + c.before + " -> " + c.after));
  if (!s.cost.empty()) out.push_back("cost so far: " + cost_so_far);
  return out;
}

std::string step_number(std::size_t n) {
  const std::string digits = std::to_string(n);
  return digits.size() < 4 ? std::string(4 - digits.size(), ' ') + digits : digits;
}

/// What is said of a run without end in front of the step of that number, or behind the last one.
std::vector<std::string> marks_at(const Counterexample& c, std::size_t step) {
  std::vector<std::string> out;
  if (!c.loop_start) return out;
  if (c.confirmed && step == c.owed_from) out.emplace_back("from here on, the goal is outstanding:");
  const bool ends = *c.loop_start == c.steps.size();
  if (step == *c.loop_start) out.emplace_back(ends ? "here the run ends." : "from here on, for ever:");
  if (step == c.steps.size() && !ends) out.push_back("and again from step " + std::to_string(*c.loop_start + 1) + ".");
  return out;
}

}  // namespace

std::string lane_chart(const Counterexample& c, unsigned width) {
  if (c.steps.empty())
    return c.loop_start ? "      (no step: the run ends in the initial state)\n"
                        : "      (no step: the initial state already violates it)\n";
  const Layout layout = layout_of(c, width);
  std::set<std::string> files;
  for (const auto& s : c.steps)
    if (!s.file.empty()) files.insert(s.file);
  std::string out = header(layout);
  std::vector<std::pair<std::string, std::uint64_t>> cost;
  std::size_t previous = lane_of(layout, c.steps.front());
  const auto mark = [&](std::size_t step) {
    for (const auto& text : marks_at(c, step)) out += "  ==  " + text + "\n";
  };
  for (std::size_t i = 0; i < c.steps.size(); ++i) {
    mark(i);
    const TraceStep& s = c.steps[i];
    const std::size_t lane = lane_of(layout, s);
    if (lane != previous) out += line(layout, "", lane, "");
    previous = lane;
    add_cost(cost, s);
    bool first = true;
    for (const auto& sentence : sentences(s, files.size() > 1, cost_text(cost))) {
      std::size_t indent = first ? 0 : 2;
      for (const auto& part : wrap(sentence, layout.room(lane) - 4)) {
        out += line(layout, first ? step_number(i + 1) : "", lane, std::string(indent, ' ') + part);
        indent = 4;
        first = false;
      }
    }
  }
  mark(c.steps.size());
  if (files.size() == 1) out += "\n      All functions are in " + ascii(*files.begin()) + ".\n";
  return out;
}

}  // namespace iomc::report
