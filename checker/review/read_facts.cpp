// SPDX-License-Identifier: GPL-2.0-or-later
#include "checker/review/read_facts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <future>
#include <map>
#include <set>

#include "checker/process.hpp"
#include "checker/review/c_text.hpp"
#include "checker/review/rules.hpp"

namespace iomc::check {

namespace {

constexpr std::string_view marker_word = "iomc:";

/// What a rule said: a comment "iomc: NAME = VALUE" that spatch put where it matched.
struct Marker {
  std::string fact;
  std::string value;
  std::string file;
  unsigned line = 0;
  std::string rules;  ///< the rule file
};

std::string trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\n");
  if (first == std::string_view::npos) return {};
  return std::string(text.substr(first, text.find_last_not_of(" \t\n") - first + 1));
}

/// A kernel file must not be able to speak for the rules: its own comments lose the word.
std::string without_markers(std::string text) {
  for (auto at = text.find(marker_word); at != std::string::npos; at = text.find(marker_word, at))
    text[at + marker_word.size() - 1] = ';';
  return text;
}

/// Parses "/* iomc: NAME = VALUE */"; nullopt for any other comment.
std::optional<Marker> parse_marker(const std::string& comment) {
  const auto at = comment.find(marker_word);
  const auto equals = comment.find('=');
  if (at == std::string::npos || equals == std::string::npos || equals < at) return std::nullopt;
  Marker m;
  m.fact = trimmed(std::string_view(comment).substr(at + marker_word.size(), equals - at - marker_word.size()));
  std::string_view value = std::string_view(comment).substr(equals + 1);
  if (value.ends_with("*/")) value.remove_suffix(2);
  m.value = trimmed(value);
  return m;
}

/// For each token of the annotated file the line of the same token in the file as it was. spatch adds comments, and
/// braces around a statement that it puts a comment before; any other difference means that a rule changes code.
std::vector<unsigned> original_lines(const std::vector<Token>& original, const std::vector<Token>& annotated,
                                     const std::string& rules) {
  std::vector<unsigned> out;
  std::size_t o = 0;
  for (const Token& t : annotated) {
    const bool same = o < original.size() && original[o].text == t.text;
    if (!same && t.text != "{" && t.text != "}")
      throw InputError(fmt::format("{}: a rule changes code near \"{}\": rules may only add comments", rules, t.text));
    out.push_back(original.empty() ? 1 : original[std::min(o, original.size() - 1)].line);
    if (same) ++o;
  }
  if (o != original.size())
    throw InputError(fmt::format("{}: a rule removes code: rules may only add comments", rules));
  out.push_back(original.empty() ? 1 : original.back().line);
  return out;
}

/// The replacement of the macro whose definition follows the marker, as a number; empty where it is none.
std::string defined_value(const std::vector<Token>& tokens, std::size_t next,
                          const std::map<std::string, std::vector<Token>>& macros) {
  if (next + 2 >= tokens.size() || tokens[next].text != "#" || tokens[next + 1].text != "define") return {};
  std::vector<Token> value;
  for (std::size_t i = next + 3; i < tokens.size() && tokens[i].kind != TokenKind::line_end; ++i)
    value.push_back(tokens[i]);
  const auto number = evaluate(value, macros);
  return number ? std::to_string(*number) : std::string();
}

std::vector<Marker> markers_in(const std::string& file, const std::string& before, const std::string& after,
                               const RuleFile& rules) {
  const Tokens original = tokenize(before), annotated = tokenize(after);
  const std::vector<unsigned> lines = original_lines(original.tokens, annotated.tokens, rules.name);
  const auto macros = object_macros(original.tokens);
  std::vector<Marker> out;
  for (const Comment& c : annotated.comments) {
    auto m = parse_marker(c.text);
    if (!m) continue;
    m->file = file;
    m->line = lines[std::min(c.next, lines.size() - 1)];
    m->rules = rules.name;
    if (m->value == "#define") m->value = defined_value(annotated.tokens, c.next, macros);
    out.push_back(std::move(*m));
  }
  return out;
}

/// Runs one rule file over its kernel files, together: what a rule found in one file, another may ask about in the
/// next.
std::vector<Marker> run_rules(const RuleFile& rules, const FileTexts& files) {
  const TemporaryDirectory scratch;
  write_file(scratch.path() / rules.name, rules.text);
  write_file(scratch.path() / "kernel.iso", rule_isomorphisms());
  Command spatch{.argv = {"spatch", "--very-quiet", "--no-includes", "--in-place", "--iso-file", "kernel.iso",
                          "--sp-file", rules.name},
                 .package = "coccinelle",
                 .directory = scratch.path(),
                 .input = {},
                 .limit_seconds = 120};
  FileTexts given;
  std::vector<std::string> reads = rules.reads;
  reads.insert(reads.end(), rules.reads_old.begin(), rules.reads_old.end());
  for (const std::string& name : reads) {
    const auto found = files.find(name);
    if (found == files.end()) continue;
    given[name] = without_markers(found->second);
    write_file(scratch.path() / "tree" / name, given[name]);
    spatch.argv.push_back("tree/" + name);
  }
  if (given.empty()) return {};
  const ProcessResult r = run_process(spatch);
  if (r.timed_out)
    throw InputError(fmt::format("{}: spatch did not end within {} s", rules.name, spatch.limit_seconds));
  if (r.status != 0 || r.err.find("parse error") != std::string::npos) {
    std::string said = r.err;
    std::replace(said.begin(), said.end(), '\n', ' ');
    throw InputError(fmt::format("{}: spatch refuses the rules: {}", rules.name, trimmed(said)));
  }
  std::vector<Marker> out;
  for (const auto& [name, before] : given)
    for (Marker& m : markers_in(name, before, read_file(scratch.path() / "tree" / name), rules))
      out.push_back(std::move(m));
  return out;
}

std::vector<Marker> run_all(const std::vector<RuleFile>& rules, const FileTexts& files) {
  std::vector<std::future<std::vector<Marker>>> running;
  for (const RuleFile& r : rules)
    running.push_back(std::async(std::launch::async, [&r, &files] { return run_rules(r, files); }));
  std::vector<Marker> out;
  std::exception_ptr failure;
  for (auto& f : running) {
    try {
      for (Marker& m : f.get()) out.push_back(std::move(m));
    } catch (...) {
      if (!failure) failure = std::current_exception();
    }
  }
  if (failure) std::rethrow_exception(failure);
  return out;
}

using FileRegions = std::map<std::string, std::vector<Region>>;

std::string place_text(const Marker& m) { return fmt::format("{}:{}", m.file, m.line); }

/// The place a person should look at when no rule matched.
void place_looked_at(const FactText& fact, const FileTexts& files, const FileRegions& where, FactRead& out) {
  if (files.find(fact.file) == files.end()) {
    out.where = fact.file + ": no such file in the tree";
    return;
  }
  for (const auto& [file, all] : where)
    for (const Region& r : all) {
      if (r.name != fact.function) continue;
      out.file = file;
      out.line = r.first_line;
      out.function = r.name;
      out.where = fmt::format("{}:{} ({}): no rule matches the code", file, r.first_line, r.name);
      return;
    }
  out.where = fmt::format("{}: no rule matches the code; {} is not there", fact.file, fact.function);
}

bool allowed(const System& system, const std::string& fact, const std::string& value) {
  // Under such a name --set takes a size of the exhaustive search, which is smaller than the kernel's own number.
  for (const NamedText& size : system.sizes())
    if (size.name == fact) return !value.empty() && value.find_first_not_of("0123456789") == std::string::npos;
  try {
    std::vector<NamedValue> facts{{fact, value}}, sizes;
    system.set(fact, value, facts, sizes);
    return true;
  } catch (const InputError&) {
    return false;
  }
}

FactRead decide(const FactText& fact, const System& system, std::vector<Marker> said, const FileTexts& files,
                const FileRegions& where) {
  FactRead out{fact.name, std::nullopt, {}, fact.file, 0, {}};
  // The place the fact is documented at comes first, so that the answer does not depend on the order of the rules.
  const auto at_home = [&](const Marker& m) {
    const auto r = where.find(m.file);
    const Region* region = r == where.end() ? nullptr : region_at(r->second, m.line);
    return region != nullptr && region->name == fact.function;
  };
  std::stable_sort(said.begin(), said.end(), [&](const Marker& a, const Marker& b) {
    return std::tuple(!at_home(a), a.file, a.line) < std::tuple(!at_home(b), b.file, b.line);
  });
  if (said.empty()) {
    place_looked_at(fact, files, where, out);
    return out;
  }
  const Marker& first = said.front();
  out.file = first.file;
  out.line = first.line;
  if (const Region* region = region_at(where.at(first.file), first.line)) out.function = region->name;
  for (const Marker& m : said)
    if (m.value != first.value) {
      out.where = fmt::format("two rules contradict each other: {} at {}, {} at {}", first.value, place_text(first),
                              m.value, place_text(m));
      return out;
    }
  if (first.value.empty()) {
    out.where = fmt::format("{}: the definition is no constant", place_text(first));
  } else if (!allowed(system, fact.name, first.value)) {
    out.where = fmt::format("{}: {} is outside what is specified: {}", place_text(first), first.value, fact.allowed);
  } else {
    out.value = first.value;
    out.where = place_text(first);
  }
  return out;
}

}  // namespace

bool FactReading::complete() const {
  return std::all_of(facts.begin(), facts.end(), [](const FactRead& f) { return f.value.has_value(); });
}

std::vector<NamedValue> FactReading::values() const {
  std::vector<NamedValue> out;
  for (const FactRead& f : facts)
    if (f.value) out.emplace_back(f.name, *f.value);
  return out;
}

const FactRead* FactReading::find(const std::string& name) const {
  for (const FactRead& f : facts)
    if (f.name == name) return &f;
  return nullptr;
}

std::vector<std::string> files_read(const System& system, const ReadOptions& options, OldFiles old) {
  std::vector<std::string> out = system.files();
  const auto add = [&](const std::vector<std::string>& files) {
    for (const std::string& f : files)
      if (std::find(out.begin(), out.end(), f) == out.end()) out.push_back(f);
  };
  for (const RuleFile& r : rules_for(system.name(), options.rules)) {
    add(r.reads);
    if (old == OldFiles::yes) add(r.reads_old);
  }
  return out;
}

FactReading read_facts(const FileTexts& files, const System& system, const ReadOptions& options) {
  const std::vector<RuleFile> rules = rules_for(system.name(), options.rules);
  std::map<std::string, std::vector<Marker>> said;
  for (Marker& m : run_all(rules, files)) said[m.fact].push_back(std::move(m));
  FileRegions where;
  for (const auto& [name, text] : files) where[name] = regions(tokenize(text).tokens);

  FactReading out;
  std::set<std::string> known;
  for (const FactText& fact : system.fact_texts()) {
    known.insert(fact.name);
    out.facts.push_back(decide(fact, system, said[fact.name], files, where));
  }
  for (const auto& [fact, markers] : said)
    if (known.count(fact) == 0)
      throw InputError(
          fmt::format("{}: \"{}\" is no fact of {}: see iomc list", markers.front().rules, fact, system.name()));
  return out;
}

FactReading read_facts(const std::filesystem::path& tree, const System& system, const ReadOptions& options) {
  const std::vector<std::string> specified = system.files();
  const std::vector<std::string> all = files_read(system, options);
  // Looking for old files in a package costs a reading to its end.
  std::error_code error;
  const bool package = !std::filesystem::is_directory(tree, error);
  const auto read = [&](const std::vector<std::string>& names) {
    const SourceTree source = SourceTree::open(tree, names);
    FileTexts files;
    for (const std::string& name : names)
      if (const auto text = source.read(name)) files[name] = *text;
    for (const std::string& name : specified)
      if (files.count(name) == 0)
        throw InputError(fmt::format("{}: no {} in it: is it a kernel source tree?", source.label(), name));
    FactReading out = read_facts(files, system, options);
    out.tree = source.label();
    return out;
  };
  FactReading out = read(package ? files_read(system, options, OldFiles::no) : all);
  return package && !out.complete() ? read(all) : out;
}

std::string to_text(const FactReading& reading) {
  std::size_t width = 0;
  for (const FactRead& f : reading.facts) width = std::max(width, f.name.size());
  std::string out;
  for (const FactRead& f : reading.facts)
    out += fmt::format("{:<{}}  {:<16}  {}\n", f.name, width, f.value.value_or("unknown"), f.where);
  return out;
}

}  // namespace iomc::check
