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

/// What a rule said: a comment "iomc: NAME = VALUE" that spatch put where it matched.
struct Marker {
  std::string fact;
  std::string value;
  std::string file;
  unsigned line = 0;
  std::string rules;  ///< the rule file
};

/// One run of a rule file over the texts of its kernel files.
struct RuleRun {
  std::string rules;  ///< their text
  FileTexts given;
  std::vector<Marker> said;
};

struct RuleRuns {
  std::vector<RuleRun> all;
};

namespace {

constexpr std::string_view marker_word = "iomc:";

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

/// The flags of the initializer or argument that follows the marker, as the words the rules have for them; empty where
/// it is anything but a union of those. A value of 0 has the word of the flag "0".
class Flags {
 public:
  Flags(const std::vector<RuleWord>& table, const std::map<std::string, std::vector<Token>>& macros)
      : table_(table), macros_(macros) {}

  std::string words(const std::vector<Token>& tokens, std::size_t first) {
    std::vector<Token> expression;
    unsigned depth = 0;
    for (std::size_t i = first; i < tokens.size(); ++i) {
      const std::string& t = tokens[i].text;
      if (depth == 0 && (t == "," || t == "}" || t == ";" || t == ")")) break;
      if (t == "(") ++depth;
      if (t == ")") --depth;
      expression.push_back(tokens[i]);
    }
    if (!add(expression, 0)) return {};
    std::string out;
    for (const auto& [name, word] : table_)
      if (found_.count(name) != 0 && (name != "0" || found_.size() == 1)) out += word;
    return out;
  }

 private:
  bool add(const std::vector<Token>& expression, unsigned depth) {
    constexpr unsigned deepest = 8;  // a macro that names itself
    if (depth > deepest) return false;
    bool operand = true;
    for (const Token& t : expression) {
      if (t.text == "(" || t.text == ")") continue;
      if (operand != (t.text != "|")) return false;
      if (operand && !add(t, depth)) return false;
      operand = !operand;
    }
    return !operand;
  }

  bool add(const Token& name, unsigned depth) {
    for (const auto& [known, word] : table_)
      if (known == name.text) return found_.insert(name.text), true;
    const auto macro = macros_.find(name.text);
    return macro != macros_.end() && add(macro->second, depth + 1);
  }

  const std::vector<RuleWord>& table_;
  const std::map<std::string, std::vector<Token>>& macros_;
  std::set<std::string> found_;
};

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
    if (m->value == "#flags") m->value = Flags(rules.flags, macros).words(annotated.tokens, c.next);
    out.push_back(std::move(*m));
  }
  return out;
}

/// The text with every line blank that is not of one of the definitions: reading a long file takes spatch seconds.
std::string only_definitions(const std::string& text, const std::vector<std::string>& names) {
  const std::vector<Region> all = regions(tokenize(text).tokens);
  std::string out;
  unsigned number = 0;
  for (const std::string_view line : lines_of(text)) {
    ++number;
    const bool wanted = std::any_of(all.begin(), all.end(), [&](const Region& r) {
      return number >= r.first_line && number <= r.last_line &&
             std::find(names.begin(), names.end(), r.name) != names.end();
    });
    if (wanted) out += line;
    out += '\n';
  }
  return out;
}

/// What there is of the files that a rule file reads, as spatch is given them.
FileTexts given_files(const RuleFile& rules, const FileTexts& files) {
  FileTexts out;
  for (const auto* list : {&rules.reads, &rules.reads_in_some})
    for (const RuleRead& read : *list) {
      const auto found = files.find(read.file);
      if (found == files.end()) continue;
      const std::string text = without_markers(found->second);
      out[read.file] = read.only.empty() ? text : only_definitions(text, read.only);
    }
  return out;
}

/// Runs one rule file over its kernel files, together: what a rule found in one file, another may ask about in the
/// next.
RuleRun run_rules(const RuleFile& rules, const FileTexts& files, const RuleRuns* earlier) {
  RuleRun out{rules.text, given_files(rules, files), {}};
  if (out.given.empty() || out.rules.find("\n@") == std::string::npos) return out;
  if (earlier != nullptr)
    for (const RuleRun& run : earlier->all)
      if (run.rules == out.rules && run.given == out.given) return run;
  const TemporaryDirectory scratch;
  write_file(scratch.path() / rules.name, rules.text);
  write_file(scratch.path() / "kernel.iso", rule_isomorphisms());
  Command spatch{.argv = {"spatch", "--very-quiet", "--no-includes", "--in-place", "--iso-file", "kernel.iso",
                          "--sp-file", rules.name},
                 .package = "coccinelle",
                 .directory = scratch.path(),
                 .input = {},
                 .limit_seconds = 120};
  for (const auto& [name, text] : out.given) {
    write_file(scratch.path() / "tree" / name, text);
    spatch.argv.push_back("tree/" + name);
  }
  const ProcessResult r = run_process(spatch);
  if (r.timed_out)
    throw InputError(fmt::format("{}: spatch did not end within {} s", rules.name, spatch.limit_seconds));
  if (r.status != 0 || r.err.find("parse error") != std::string::npos) {
    std::string said = r.err;
    std::replace(said.begin(), said.end(), '\n', ' ');
    throw InputError(fmt::format("{}: spatch refuses the rules: {}", rules.name, trimmed(said)));
  }
  for (const auto& [name, before] : out.given)
    for (Marker& m : markers_in(name, before, read_file(scratch.path() / "tree" / name), rules))
      out.said.push_back(std::move(m));
  return out;
}

RuleRuns run_all(const std::vector<RuleFile>& rules, const FileTexts& files, const RuleRuns* earlier) {
  std::vector<std::future<RuleRun>> running;
  for (const RuleFile& r : rules)
    running.push_back(std::async(std::launch::async, [&] { return run_rules(r, files, earlier); }));
  RuleRuns out;
  std::exception_ptr failure;
  for (auto& f : running) {
    try {
      out.all.push_back(f.get());
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
  for (const Marker& m : said) {
    const Region* region = region_at(where.at(m.file), m.line);
    out.places.push_back({m.file, m.line, region == nullptr ? "" : region->name});
  }
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
    out.where = fmt::format("{}: the definition is no constant, or of flags that the rules do not know",
                            place_text(first));
  } else if (!allowed(system, fact.name, first.value)) {
    out.where = fmt::format("{}: {} is outside what is specified: {}", place_text(first), first.value, fact.allowed);
  } else {
    out.value = first.value;
    out.where = place_text(first);
  }
  return out;
}

/// What the rules state for a fact that no source says, or that is about a file that the tree does not have.
void state(FactRead& fact, const std::vector<RuleFile>& rules, const FileTexts& files) {
  const auto take = [&](const RuleWord& stated, const std::string& where) {
    if (stated.first != fact.name) return;
    fact.value = stated.second;
    fact.where = where;
    fact.stated = true;
  };
  for (const RuleFile& r : rules) {
    for (const RuleWord& w : r.not_in_source)
      take(w, "not in the source: taken to be so unless --set says otherwise");
    for (const auto& [file, words] : r.without)
      if (files.count(file) == 0)
        for (const RuleWord& w : words) take(w, "the tree has no " + file);
  }
}

void add_file(std::vector<std::string>& all, const std::string& file) {
  if (std::find(all.begin(), all.end(), file) == all.end()) all.push_back(file);
}

void require_specified(const SourceTree& tree, const FileTexts& files, const System& system) {
  for (const std::string& name : system.files())
    if (files.count(name) == 0)
      throw InputError(fmt::format("{}: no {} in it: is it a kernel source tree?", tree.label(), name));
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

std::vector<std::string> files_read_first(const System& system, const ReadOptions& options) {
  std::vector<std::string> out = system.files();
  for (const RuleFile& r : rules_for(system.name(), options.rules))
    for (const RuleRead& read : r.reads) add_file(out, read.file);
  return out;
}

std::vector<std::string> files_read(const System& system, const ReadOptions& options) {
  std::vector<std::string> out = files_read_first(system, options);
  for (const RuleFile& r : rules_for(system.name(), options.rules))
    for (const RuleRead& read : r.reads_in_some) add_file(out, read.file);
  return out;
}

FactReading read_facts(const FileTexts& files, const System& system, const ReadOptions& options) {
  const std::vector<RuleFile> rules = rules_for(system.name(), options.rules);
  const auto runs = std::make_shared<const RuleRuns>(run_all(rules, files, options.earlier.get()));
  std::map<std::string, std::vector<Marker>> said;
  for (const RuleRun& run : runs->all)
    for (const Marker& m : run.said) said[m.fact].push_back(m);
  FileRegions where;
  for (const auto& [name, text] : files) where[name] = regions(tokenize(text).tokens);

  FactReading out;
  out.runs = runs;
  std::set<std::string> known;
  for (const FactText& fact : system.fact_texts()) {
    known.insert(fact.name);
    out.facts.push_back(decide(fact, system, said[fact.name], files, where));
    if (said[fact.name].empty()) state(out.facts.back(), rules, files);
  }
  const auto require_known = [&](const std::string& fact, const std::string& rule_file) {
    if (known.count(fact) == 0)
      throw InputError(fmt::format("{}: \"{}\" is no fact of {}: see iomc list", rule_file, fact, system.name()));
  };
  const auto require_statement = [&](const RuleWord& stated, const RuleFile& r) {
    require_known(stated.first, r.name);
    if (!allowed(system, stated.first, stated.second))
      throw InputError(fmt::format("{}: {} is no value of {}", r.name, stated.second, stated.first));
  };
  for (const auto& [fact, markers] : said) require_known(fact, markers.empty() ? "" : markers.front().rules);
  for (const RuleFile& r : rules) {
    for (const RuleWord& stated : r.not_in_source) require_statement(stated, r);
    for (const auto& [file, words] : r.without)
      for (const RuleWord& stated : words) require_statement(stated, r);
  }
  return out;
}

std::vector<FactReading> read_facts(const std::filesystem::path& tree, const std::vector<const System*>& systems,
                                    const ReadOptions& options) {
  std::error_code error;
  const bool package = !std::filesystem::is_directory(tree, error);
  const auto read = [&](const std::vector<const System*>& wanted, bool first) {
    std::vector<std::string> names;
    for (const System* s : wanted)
      for (const std::string& f : first ? files_read_first(*s, options) : files_read(*s, options)) add_file(names, f);
    const SourceTree source = SourceTree::open(tree, names);
    FileTexts files;
    for (const std::string& name : names)
      if (const auto text = source.read(name)) files[name] = *text;
    std::vector<FactReading> out;
    for (const System* s : wanted) {
      require_specified(source, files, *s);
      out.push_back(read_facts(files, *s, options));
      out.back().tree = source.label();
    }
    return out;
  };
  std::vector<FactReading> out = read(systems, package);
  if (!package) return out;
  std::vector<const System*> again;
  for (std::size_t i = 0; i < systems.size(); ++i)
    if (!out[i].complete() && files_read(*systems[i], options).size() > files_read_first(*systems[i], options).size())
      again.push_back(systems[i]);
  if (again.empty()) return out;
  std::vector<FactReading> more = read(again, false);
  for (std::size_t i = 0, j = 0; i < systems.size() && j < again.size(); ++i)
    if (systems[i] == again[j]) out[i] = std::move(more[j++]);
  return out;
}

FactReading read_facts(const std::filesystem::path& tree, const System& system, const ReadOptions& options) {
  return std::move(read_facts(tree, std::vector<const System*>{&system}, options).front());
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
