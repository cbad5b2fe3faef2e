// SPDX-License-Identifier: GPL-2.0-or-later
#include "checker/cli/prompt.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdio>

#include "checker/cli/catalogue.hpp"
#include "checker/cli/common.hpp"
#include "checker/cli/interrupt.hpp"
#include "checker/cli/output.hpp"
#include "checker/cli/program.hpp"
#include "checker/cli/words.hpp"
#include "checker/explicit/replay.hpp"
#include "model/check.hpp"

namespace iomc::cli {

namespace {

using check::InputError;
using Words = std::vector<std::string>;

constexpr std::array<PromptCommand, 19> own_commands = {{
    {"load", "SPEC [KERNEL]", "a specification, and a built-in kernel (the newest, where none is given)"},
    {"tree", "DIR", "the facts of a kernel tree or source package instead of a built-in kernel"},
    {"set", "NAME=VALUE...", "a fact or a size, on top of the kernel's"},
    {"unset", "[NAME...]", "takes back what was set; all of it without a name"},
    {"config", "[NAME]", "the configuration for check and for the run; without a name: all that there are"},
    {"settings", "", "what is loaded, as words of the command line"},
    {"facts", "[WORD]", "the facts of the kernel as set, those whose names contain WORD"},
    {"start", "[INITIAL]", "begins a run at an initial state (0)"},
    {"enabled", "", "the steps that may come next, numbered"},
    {"step", "[N]", "takes step N; without a number the only one"},
    {"back", "[N]", "undoes the last step, or N of them"},
    {"forward", "[N]", "takes what was undone again"},
    {"goto", "PATH|PROPERTY", "a path as iomc replay takes it, or to the end of a property's counterexample"},
    {"state", "[WORD]", "the fields of the state, those whose names contain WORD"},
    {"run", "", "the steps so far, and the path that iomc replay takes"},
    {"properties", "", "the properties of the specification"},
    {"configurations", "", "its configurations"},
    {"help", "[COMMAND]", "this list, or the help of one of the program's commands"},
    {"quit", "", "ends the session; so does the end of the input"},
}};

/// Commands of the program that take a specification and a kernel.
constexpr std::array<const char*, 3> with_spec = {"check", "prove", "cost"};

void say(const std::string& text) { write_stdout(text); }

std::uint64_t to_number(const std::string& word, const char* what) {
  std::uint64_t out = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), out);
  if (error != std::errc{} || end != word.data() + word.size())
    throw InputError(word + ": expected " + what);
  return out;
}

std::uint64_t count_or(const Words& arguments, std::uint64_t otherwise) {
  return arguments.empty() ? otherwise : to_number(arguments[0], "a number of steps");
}

std::string step_line(const std::string& number, const check::TraceStep& s) {
  const std::string where = s.cpu < 0 ? s.context : fmt::format("CPU{} {}", s.cpu, s.context);
  const std::string name = s.step == s.function ? s.function + "()" : s.function + "() [" + s.step + "]";
  std::string out = fmt::format("{:>4}  {:<22} {}: {}\n", number, where, name, s.what);
  for (const auto& c : s.changes) out += fmt::format("      {:<22}   {}: {} -> {}\n", "", c.field, c.before, c.after);
  return out;
}

bool contains(const std::string& text, const Words& wanted) {
  return std::all_of(wanted.begin(), wanted.end(),
                     [&](const auto& w) { return text.find(w) != std::string::npos; });
}

Words names(const std::vector<check::NamedText>& entries) {
  Words out;
  for (const auto& e : entries) out.push_back(e.name);
  return out;
}

}  // namespace

Prompt::Prompt(const std::string& spec, Selection selection) : selection_(std::move(selection)) {
  if (!spec.empty()) {
    spec_ = check::find_system(spec).name();
    request();
  } else if (!selection_.kernel.empty() || !selection_.tree.empty() || !selection_.sets.empty()) {
    throw InputError("explore: --kernel, --tree and --set need a SPEC, as in iomc explore iova --kernel 6.12");
  }
}

const check::System& Prompt::system() const {
  if (spec_.empty()) throw InputError("nothing is loaded; load a specification, as in: load iova 6.12");
  return check::find_system(spec_);
}

check::CheckRequest Prompt::request() const {
  Selected selected = select(system(), selection_);
  if (!selected.unknown.empty())
    throw InputError("unknown in this tree, give it with set: " + joined(selected.unknown));
  return selected.request;
}

void Prompt::note(int status) {
  const auto rank = [](int s) {
    if (s == 0) return 0;
    if (s == check::exit_inconclusive) return 1;
    if (s == check::exit_violated) return 2;
    return s == check::exit_usage ? 3 : 4;
  };
  if (rank(status) > rank(status_)) status_ = status;
}

bool Prompt::run(const std::string& line) {
  try {
    Words words = split_words(line);
    if (words.empty()) return true;
    const std::string name = words.front();
    const Words arguments(words.begin() + 1, words.end());
    if (name == "explore") throw InputError("explore: this is the prompt already; load SPEC takes another");
    if (!run_own(name, arguments)) run_program(std::move(words));
  } catch (const InputError& e) {
    std::fprintf(stderr, "iomc: %s\n", e.what());
    note(check::exit_usage);
  } catch (const model::InternalError& e) {
    std::fprintf(stderr, "iomc: internal error: %s\n", e.what());
    note(exit_internal);
  }
  std::fflush(stdout);
  clear_interrupt();
  return !ended_;
}

bool Prompt::run_own(const std::string& name, const Words& arguments) {
  // `facts` of a tree and `list` are the program's.
  const bool options =
      std::any_of(arguments.begin(), arguments.end(), [](const auto& a) { return a.starts_with("-"); });
  if (name == "load") return load(arguments), true;
  if (name == "tree" || name == "kernel") {
    if (arguments.size() != 1) throw InputError(name + ": expected one " + (name == "tree" ? "DIR" : "kernel"));
    Selection changed = selection_;
    (name == "tree" ? changed.tree : changed.kernel) = arguments[0];
    (name == "tree" ? changed.kernel : changed.tree).clear();
    std::swap(selection_, changed);
    try {
      request();
    } catch (...) {
      std::swap(selection_, changed);
      throw;
    }
    return walk_.reset(), undone_.clear(), settings(), true;
  }
  if (name == "set") return set(arguments), true;
  if (name == "unset") return unset(arguments), true;
  if (name == "config") return choose_configuration(arguments), true;
  if (name == "settings") return settings(), true;
  if (name == "facts" && !options) return facts(arguments), true;
  if (name == "start") return start(arguments), true;
  if (name == "enabled") return enabled(), true;
  if (name == "step") return step(arguments), true;
  if (name == "back") return back(arguments), true;
  if (name == "forward") return forward(arguments), true;
  if (name == "goto") return go_to(arguments), true;
  if (name == "state") return state(arguments), true;
  if (name == "run") return show_run(), true;
  if (name == "properties" || name == "configurations") {
    run_program({"list", name, system().name()});
    return true;
  }
  if (name == "help") return help(arguments), true;
  if (name == "quit" || name == "exit") return ended_ = true;
  return false;
}

Prompt::Words Prompt::with_selection(const Words& words, std::size_t begin) const {
  Words out(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(begin));
  if (begin == 1) out.push_back(spec_);
  const auto given = [&](const char* option) { return std::find(words.begin(), words.end(), option) != words.end(); };
  // A bare word of `check` is a property.
  for (std::size_t i = begin; i < words.size(); ++i) {
    const bool value = i > 1 && words[i - 1].starts_with("-");
    const auto all = system().properties();
    const bool property = std::any_of(all.begin(), all.end(), [&](const auto& p) {
      return p.id == words[i] || p.id == spec_ + "." + words[i];
    });
    if (words[0] == "check" && property && !value) out.emplace_back("--property");
    out.push_back(words[i]);
  }
  if (!given("--kernel") && !given("--tree")) {
    if (!selection_.kernel.empty()) out.insert(out.end(), {"--kernel", selection_.kernel});
    if (!selection_.tree.empty()) out.insert(out.end(), {"--tree", selection_.tree});
  }
  for (const auto& s : selection_.sets) out.insert(out.end(), {"--set", s});
  if (!given("--config") && words[0] != "cost")
    for (const auto& c : selection_.configurations) out.insert(out.end(), {"--config", c});
  return out;
}

/// All words are the question, up to an option; what is loaded goes before and after it.
Prompt::Words Prompt::question(const Words& words) const {
  Words out = {words[0], {}};
  std::size_t i = 1;
  for (; i < words.size() && !words[i].starts_with("--"); ++i) out[1] += (out[1].empty() ? "" : " ") + words[i];
  if (out[1].empty()) return words;
  if (out[1].find(':') == std::string::npos) out[1] = system().name() + ": " + out[1];
  out.insert(out.end(), words.begin() + static_cast<std::ptrdiff_t>(i), words.end());
  if (out[1].starts_with(spec_ + ":") || out[1].starts_with(spec_ + ".")) return with_selection(out, 2);
  return out;
}

void Prompt::run_program(Words words) {
  const auto is_spec = [](const std::string& word) {
    for (const auto& s : check::systems())
      if (s->name() == word) return true;
    return false;
  };
  if (words[0] == "ask") words = question(words);
  const bool takes_spec = std::find(with_spec.begin(), with_spec.end(), words[0]) != with_spec.end();
  const bool of_all = std::find(words.begin(), words.end(), "--headlines") != words.end();
  if (takes_spec && !of_all && (words.size() == 1 || !is_spec(words[1]))) {
    system();
    words = with_selection(words, 1);
  }
  note(run_words(std::move(words)));
}

void Prompt::load(const Words& arguments) {
  if (arguments.empty() || arguments.size() > 2)
    throw InputError("load: expected SPEC [KERNEL], as in: load iova 6.12");
  const check::System& wanted = check::find_system(arguments[0]);
  Selection fresh;
  if (arguments.size() == 2) fresh.kernel = arguments[1];
  select(wanted, fresh);
  spec_ = wanted.name();
  selection_ = std::move(fresh);
  walk_.reset();
  undone_.clear();
  settings();
}

void Prompt::set(const Words& arguments) {
  if (arguments.empty()) throw InputError("set: expected NAME=VALUE, as in: set cpus=2");
  Selection changed = selection_;
  for (const auto& a : arguments) {
    const std::string name = a.substr(0, a.find('='));
    std::erase_if(changed.sets, [&](const auto& s) { return s.substr(0, s.find('=')) == name; });
    changed.sets.push_back(a);
  }
  select(system(), changed);
  selection_ = std::move(changed);
  walk_.reset();
  undone_.clear();
}

void Prompt::unset(const Words& arguments) {
  for (const auto& a : arguments)
    if (std::erase_if(selection_.sets, [&](const auto& s) { return s.substr(0, s.find('=')) == a; }) == 0)
      throw InputError("unset " + a + ": it is not set");
  if (arguments.empty()) selection_.sets.clear();
  walk_.reset();
  undone_.clear();
}

void Prompt::choose_configuration(const Words& arguments) {
  if (arguments.empty()) return run_program({"list", "configurations", system().name()});
  Selection changed = selection_;
  changed.configurations = {arguments[0]};
  select(system(), changed);
  selection_ = std::move(changed);
  walk_.reset();
  undone_.clear();
}

void Prompt::settings() const {
  Words words;
  for (const auto& w : select(system(), selection_).words) words.push_back(w);
  std::string out = spec_;
  if (!selection_.kernel.empty()) out += " --kernel " + selection_.kernel;
  if (!selection_.tree.empty()) out += " --tree " + selection_.tree;
  if (selection_.kernel.empty() && selection_.tree.empty()) out += " --kernel " + request().kernel;
  for (const auto& s : selection_.sets) out += " --set " + s;
  for (const auto& c : selection_.configurations) out += " --config " + c;
  say(out + "\n");
}

void Prompt::facts(const Words& arguments) const {
  std::string out;
  for (const auto& [name, value] : request().facts)
    if (contains(name, arguments)) out += name + " = " + value + "\n";
  for (const auto& [name, value] : request().sizes)
    if (contains(name, arguments)) out += name + " = " + value + " (a size)\n";
  say(out.empty() ? "no fact has that in its name\n" : out);
}

void Prompt::help(const Words& arguments) const {
  if (!arguments.empty()) {
    for (const auto& c : own_commands)
      if (arguments[0] == c.name) return say(fmt::format("{} {}: {}\n", c.name, c.arguments, c.help));
    run_words({arguments[0], "--help"});
    return;
  }
  std::string out = "Commands of the prompt:\n";
  for (const auto& c : own_commands)
    out += fmt::format("  {:<28} {}\n", fmt::format("{} {}", c.name, c.arguments), c.help);
  out += "Commands of the program; check, prove, cost and ask take what is loaded:\n";
  for (const auto& c : commands())
    if (c->name() != "explore") out += fmt::format("  {:<28} {}\n", c->name(), c->summary());
  say(out + "A word in quotes is one word; # begins a comment. Ctrl-C stops a command, not the prompt.\n");
}

// ---- a run, step by step ---------------------------------------------------------------------------------------

check::Walk& Prompt::walk() {
  if (!walk_) walk_ = system().walk(request());
  return *walk_;
}

void Prompt::say_where() {
  std::string out = "path " + walk().run().path + "\n";
  for (const auto& [id, what] : walk().violated()) out += "violated here: " + id + ": " + what + "\n";
  const auto next = walk().enabled();
  if (next.empty())
    out += walk().may_stop() ? "the run may end here\n" : "violated here: no step may come next, and it is no end\n";
  say(out);
}

void Prompt::start(const Words& arguments) {
  walk_.reset();
  undone_.clear();
  check::Walk& w = walk();
  if (!arguments.empty()) w.start(to_number(arguments[0], "the number of an initial state"));
  say(fmt::format("configuration {}: {}; {} initial state{}\n", w.configuration(), w.scope(), w.initial_states(),
                  w.initial_states() == 1 ? "" : "s"));
  say_where();
}

void Prompt::enabled() {
  std::string out;
  std::size_t n = 0;
  for (const auto& s : walk().enabled()) out += step_line(std::to_string(n++), s);
  say(out.empty() ? "no step may come next\n" : out);
}

void Prompt::step(const Words& arguments) {
  std::uint64_t choice = 0;
  if (arguments.empty()) {
    const std::size_t n = walk().enabled().size();
    if (n != 1)
      throw InputError(n == 0 ? "no step may come next"
                              : fmt::format("{} steps may come next: step N; see: enabled", n));
  } else {
    choice = to_number(arguments[0], "the number of a step; see: enabled");
  }
  walk().take(choice);
  undone_.clear();
  const auto taken = walk().run().steps;
  say(step_line(std::to_string(taken.size()), taken.back()));
  say_where();
}

void Prompt::back(const Words& arguments) {
  for (std::uint64_t n = count_or(arguments, 1); n > 0; --n) {
    const auto steps = walk().run().steps;
    if (!walk().back()) throw InputError("back: this is the beginning");
    undone_.push_back(steps.back().choice);
  }
  say_where();
}

void Prompt::forward(const Words& arguments) {
  for (std::uint64_t n = count_or(arguments, 1); n > 0; --n) {
    if (undone_.empty()) throw InputError("forward: nothing was undone");
    walk().take(undone_.back());
    undone_.pop_back();
  }
  say_where();
}

void Prompt::go_to(const Words& arguments) {
  if (arguments.size() != 1) throw InputError("goto: expected a path or a property, as in: goto 0/2/1");
  std::string path = arguments[0];
  if (path.find_first_not_of("0123456789/") != std::string::npos) {
    check::CheckRequest wanted = request();
    wanted.properties = {property_id(system(), path)};
    wanted.interrupted = &interrupted();
    const auto result = system().check(wanted);
    for (const auto& r : result.results) {
      if (r.property != wanted.properties[0]) continue;
      if (!r.counterexample) return say(r.property + " " + check::name(r.verdict) + ": it has no counterexample\n");
      path = r.counterexample->path;
      if (path.find_first_not_of("0123456789/") != std::string::npos)
        return say("the counterexample is a loop: iomc replay " + spec_ + "/" + r.property + " " + path + "\n");
      selection_.configurations = {r.configuration};
    }
    walk_.reset();
  }
  const check::Path steps = check::parse_path(path);
  check::Walk& w = walk();
  w.start(steps.front());
  undone_.clear();
  for (std::size_t i = 1; i < steps.size(); ++i) w.take(steps[i]);
  show_run();
}

void Prompt::state(const Words& arguments) {
  std::string out;
  for (const auto& [name, value] : walk().state())
    if (contains(name, arguments)) out += name + " = " + value + "\n";
  say(out.empty() ? "no field has that in its name\n" : out);
}

void Prompt::show_run() {
  std::string out;
  std::size_t n = 0;
  for (const auto& s : walk().run().steps) out += step_line(std::to_string(++n), s);
  say(out);
  say_where();
}

// ---- completion ------------------------------------------------------------------------------------------------

std::vector<std::string> Prompt::completions(const std::string& line) const {
  Words out;
  const auto add = [&](const Words& words) { out.insert(out.end(), words.begin(), words.end()); };
  const std::size_t last = line.find_last_of(" \t") + 1;
  Words before;
  try {
    before = split_words(line.substr(0, last));
  } catch (const InputError&) {
    return out;
  }
  if (before.empty()) {
    for (const auto& c : own_commands) out.emplace_back(c.name);
    for (const auto& c : commands())
      if (c->name() != "explore" && std::find(out.begin(), out.end(), c->name()) == out.end()) out.push_back(c->name());
    return out;
  }
  const std::string& command = before[0];
  const auto specs = [&] {
    for (const auto& s : check::systems()) out.push_back(s->name());
  };
  if (command == "load") {
    if (before.size() == 1) return specs(), out;
    for (const auto& s : check::systems())
      if (s->name() == before[1]) add(names(s->kernels()));
    return out;
  }
  if (command == "list") return catalogue_kinds();
  if (command == "help") return completions("");
  if (spec_.empty()) return specs(), out;
  const check::System& s = system();
  if (command == "kernel") add(names(s.kernels()));
  if (command == "config" || before.back() == "--config") return names(s.configurations());
  if (command == "set" || before.back() == "--set") {
    for (const auto& f : s.fact_texts()) out.push_back(f.name + "=");
    for (const auto& n : names(s.sizes())) out.push_back(n + "=");
  }
  if (command == "unset")
    for (const auto& n : selection_.sets) out.push_back(n.substr(0, n.find('=')));
  if (command == "facts")
    for (const auto& f : s.fact_texts()) out.push_back(f.name);
  if (command == "state" && walk_)
    for (const auto& [name, value] : walk_->state()) out.push_back(name);
  if (command == "check" || command == "prove" || command == "goto" || command == "explain" || command == "replay")
    for (const auto& p : s.properties()) out.push_back(p.id);
  return out;
}

}  // namespace iomc::cli
