// SPDX-License-Identifier: GPL-2.0-or-later
#include "checker/review/review.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "checker/process.hpp"
#include "checker/review/c_text.hpp"

namespace iomc::check {

namespace {

bool contains(const std::vector<std::string>& all, const std::string& one) {
  return std::find(all.begin(), all.end(), one) != all.end();
}

/// Text that no compiler sees.
bool documentation(const std::string& path) {
  return path.starts_with("Documentation/") || path == "MAINTAINERS" || path.ends_with(".rst") ||
         path.ends_with(".txt") || path.ends_with(".yaml");
}

std::string spelled(const std::vector<Token>& tokens, std::size_t first, std::size_t last) {
  std::string out;
  for (std::size_t i = first; i <= last && i < tokens.size(); ++i) out += tokens[i].text + '\x1f';
  return out;
}

/// The definitions of a file as a sorted list, without prototypes: what is left of it when their order is not looked
/// at.
std::vector<std::string> definitions(const std::vector<Token>& tokens) {
  std::vector<std::string> out;
  std::set<std::string> functions;
  const std::vector<Region> all = regions(tokens);
  for (const Region& r : all)
    if (r.function) functions.insert(r.name);
  std::size_t at = 0;
  const auto declarations = [&](std::size_t end) {
    std::size_t first = at;
    for (; at < end; ++at) {
      const bool ends = tokens[at].text == ";" || tokens[at].kind == TokenKind::line_end;
      if (!ends && at + 1 != end) continue;
      bool prototype = false;
      for (std::size_t i = first; i + 1 <= at; ++i)
        prototype = prototype || (tokens[i + 1].text == "(" && functions.count(tokens[i].text) != 0 && i > first &&
                                  tokens[first].text == "static");
      if (!prototype) out.push_back(spelled(tokens, first, at));
      first = at + 1;
    }
  };
  for (const Region& r : all) {
    declarations(r.first_token);
    out.push_back(spelled(tokens, r.first_token, r.last_token));
    at = r.last_token + 1;
  }
  declarations(tokens.size());
  std::sort(out.begin(), out.end());
  return out;
}

/// What happened to the code of a file.
bool code_changed(const std::string& before, const std::string& after) {
  const std::vector<Token> a = tokenize(before).tokens, b = tokenize(after).tokens;
  return !same_code(a, b) && definitions(a) != definitions(b);
}

/// The tokens of the lines [first, first + count).
std::vector<Token> tokens_of(const std::vector<Token>& all, unsigned first, unsigned count) {
  std::vector<Token> out;
  for (const Token& t : all)
    if (t.line >= first && t.line < first + count) out.push_back(t);
  return out;
}

/// Decides for each changed run of lines whether a changed fact stands for it.
class Coverage {
 public:
  Coverage(const Review& review, const System& system, const std::vector<std::string>& specified)
      : specified_(specified) {
    std::map<std::string, std::string> home;
    for (const FactText& f : system.fact_texts()) home[f.name] = f.function;
    const auto add = [&](const FactChange& change) {
      functions_.insert(home[change.name]);
      for (const FactReading* side : {&review.before, &review.after}) {
        const FactRead* f = side->find(change.name);
        if (f == nullptr) continue;
        functions_.insert(f->function);
        for (const FactPlace& p : f->places) {
          functions_.insert(p.function);
          if (p.function.empty()) (side == &review.before ? lines_before_ : lines_after_).emplace(p.file, p.line);
        }
      }
    };
    for (const FactChange& c : review.facts_changed) add(c);
    functions_.erase("");
  }

  void look_at(const AppliedFile& file, Review& out) const {
    if (documentation(file.path) || !code_changed(file.before, file.after)) {
      if (!contains(out.no_code_changed, file.path)) out.no_code_changed.push_back(file.path);
      return;
    }
    if (!contains(specified_, file.path)) {
      const unsigned line = file.changes.empty() ? 0 : file.changes.front().patch_line;
      out.not_covered.push_back({file.source, line, file.path, "", 0, 0, "no system specifies this file"});
      return;
    }
    const std::vector<Token> before = tokenize(file.before).tokens, after = tokenize(file.after).tokens;
    const std::vector<Region> regions_before = regions(before), regions_after = regions(after);
    for (const ChangedLines& c : file.changes) {
      const std::vector<Token> removed = tokens_of(before, c.old_first, c.old_count);
      const std::vector<Token> added = tokens_of(after, c.new_first, c.new_count);
      if (same_code(removed, added)) continue;
      for (const std::string& f : functions_of(removed, regions_before, added, regions_after))
        if (functions_.count(f) == 0 && !(f.empty() && declares(file.path, c))) add(file, c, f, out);
    }
  }

 private:
  static std::set<std::string> functions_of(const std::vector<Token>& removed, const std::vector<Region>& before,
                                            const std::vector<Token>& added, const std::vector<Region>& after) {
    std::set<std::string> out;
    const auto collect = [&](const std::vector<Token>& tokens, const std::vector<Region>& all) {
      for (const Token& t : tokens) {
        const Region* r = region_at(all, t.line);
        out.insert(r == nullptr ? "" : r->name);
      }
    };
    collect(removed, before);
    collect(added, after);
    return out;
  }

  /// Whether a changed fact was read from a declaration among the changed lines, outside of any definition.
  bool declares(const std::string& file, const ChangedLines& c) const {
    const auto within = [&](const Lines& lines, unsigned first, unsigned count) {
      const auto from = lines.lower_bound({file, first});
      return from != lines.end() && from->first == file && from->second < first + count;
    };
    return within(lines_before_, c.old_first, c.old_count) || within(lines_after_, c.new_first, c.new_count);
  }

  static void add(const AppliedFile& file, const ChangedLines& c, const std::string& function, Review& out) {
    const bool only_removed = c.new_count == 0;
    const unsigned first = only_removed ? c.old_first : c.new_first;
    const unsigned last = first + (only_removed ? c.old_count : c.new_count) - 1;
    for (Uncovered& u : out.not_covered)
      if (u.file == file.path && u.function == function && u.source == file.source && u.patch_line == c.patch_line) {
        u.first = std::min(u.first, first);
        u.last = std::max(u.last, last);
        return;
      }
    out.not_covered.push_back(
        {file.source, c.patch_line, file.path, function, first, last, "the code changes, no fact does"});
  }

  using Lines = std::set<std::pair<std::string, unsigned>>;

  const std::vector<std::string>& specified_;
  std::set<std::string> functions_;
  Lines lines_before_;
  Lines lines_after_;
};

/// Values that the user gave stand in for facts that could not be read.
void fill_in(FactReading& reading, const CheckRequest& request, std::vector<std::string>& notes) {
  for (FactRead& f : reading.facts)
    for (const NamedValue& given : request.facts)
      if ((!f.value || f.stated) && given.first == f.name) {
        f.value = given.second;
        f.where = f.stated ? "given with --set" : "given; " + f.where;
        const std::string note = fmt::format("{} = {} was given, not read", f.name, given.second);
        if (!contains(notes, note)) notes.push_back(note);
      }
}

/// A value that stands in for nothing would be ignored without a word.
void require_needed(const Review& r, const CheckRequest& request) {
  for (const auto& [name, value] : request.facts) {
    const FactRead* before = r.before.find(name);
    const FactRead* after = r.after.find(name);
    if (before != nullptr && after != nullptr && before->value && after->value && !before->stated)
      throw InputError(fmt::format("--set {}={}: {} could be read ({} before, {} after); --set stands in only for what "
                                   "cannot be read: leave it out",
                                   name, value, name, *before->value, *after->value));
  }
}

void compare_facts(Review& out, const System& system) {
  for (const FactText& text : system.fact_texts()) {
    const FactRead* before = out.before.find(text.name);
    const FactRead* after = out.after.find(text.name);
    const FactChange change{text.name, text.what, before->value, after->value, before->where, after->where};
    if (before->value != after->value) out.facts_changed.push_back(change);
    if (!before->value || !after->value) out.unknown.push_back(change);
  }
}

void compare_verdicts(Review& out, const RunResult& before, const RunResult& after) {
  for (const PropertyResult& a : after.results) {
    PropertyPair pair{{}, a};
    pair.before.property = a.property;
    pair.before.claim = a.claim;
    pair.before.reason = "not checked before the patch";
    for (const PropertyResult& b : before.results)
      if (b.property == a.property) pair.before = b;
    out.properties.push_back(std::move(pair));
  }
}

void compare_costs(Review& out, const System& system) {
  const std::vector<WorkloadCost> before = system.costs(out.before.values());
  for (const WorkloadCost& a : system.costs(out.after.values()))
    for (const WorkloadCost& b : before) {
      if (a.name != b.name) continue;
      std::map<std::string, double> was(b.per_operation.begin(), b.per_operation.end());
      for (const auto& [event, value] : a.per_operation) out.costs.push_back({a.name, event, was[event], value});
    }
}

void check_both(Review& out, const System& system, const CheckRequest& request) {
  if (!out.unknown.empty()) {
    out.reason = fmt::format("not checked: {} could not be read", out.unknown.front().name);
    if (out.unknown.size() > 1) out.reason += fmt::format(" (and {} more)", out.unknown.size() - 1);
    return;
  }
  if (out.facts_changed.empty()) {
    out.reason = "not checked: no fact changes, so nothing that is checked can";
    return;
  }
  CheckRequest before = request, after = request;
  before.facts = out.before.values();
  before.kernel = out.tree;
  after.facts = out.after.values();
  after.kernel = out.tree + " with the patch";
  const RunResult was = system.check(before);
  compare_verdicts(out, was, system.check(after));
  compare_costs(out, system);
  out.checked = true;
}

std::string count(std::size_t n, const std::string& one, const std::string& many) {
  return fmt::format("{} {}", n, n == 1 ? one : many);
}

/// What is lost is performance alone, and something is won for it: the reader has to weigh the two.
std::string trade_off(const Review& review, const System& system) {
  const std::vector<PropertyText> known = system.properties();
  std::vector<std::string> lost, won;
  for (const PropertyPair& p : review.properties) {
    const auto text = std::find_if(known.begin(), known.end(), [&](const auto& k) { return k.id == p.after.property; });
    if (p.broken() && (text == known.end() || text->kind != "performance")) return {};
    if (p.broken()) lost.push_back(p.after.property);
    if (p.repaired()) won.push_back(p.after.property);
  }
  if (lost.empty() || won.empty()) return {};
  return fmt::format("a trade-off: {} of performance for {}", fmt::join(lost, ", "), fmt::join(won, ", "));
}

void conclude(Review& out, const System& system) {
  std::size_t broken = 0, repaired = 0, inconclusive = 0;
  for (const PropertyPair& p : out.properties) {
    broken += p.broken() ? 1 : 0;
    repaired += p.repaired() ? 1 : 0;
    inconclusive += p.before.verdict == Verdict::inconclusive || p.after.verdict == Verdict::inconclusive ? 1 : 0;
  }
  std::vector<std::string> said;
  if (broken > 0) said.push_back(count(broken, "property is violated that held", "properties are violated that held"));
  if (repaired > 0)
    said.push_back(count(repaired, "property holds that was violated", "properties hold that were violated"));
  if (const std::string both = trade_off(out, system); !both.empty()) said.push_back(both);
  if (inconclusive > 0) said.push_back(count(inconclusive, "property is inconclusive", "properties are inconclusive"));
  if (!out.unknown.empty()) said.push_back(count(out.unknown.size(), "fact is unknown", "facts are unknown"));
  if (!out.not_covered.empty())
    said.push_back(count(out.not_covered.size(), "change is not covered", "changes are not covered"));
  if (broken > 0)
    out.exit = exit_violated;
  else if (inconclusive > 0 || !out.unknown.empty() || !out.not_covered.empty())
    out.exit = exit_inconclusive;
  else
    out.exit = exit_holds;
  if (said.empty()) said.push_back(out.facts_changed.empty() ? "no code changed" : "no verdict changes");
  out.verdict = fmt::format("{}", fmt::join(said, "; "));
}

void require_specified(const std::vector<std::string>& touched, const std::vector<std::string>& specified,
                       const System& system, const std::string& source) {
  for (const std::string& t : touched)
    if (contains(specified, t)) return;
  throw InputError(fmt::format("{}: touches no specified file ({} specifies {})", source, system.name(),
                               fmt::join(system.files(), ", ")));
}

FileTexts only(const FileTexts& all, const std::vector<std::string>& names) {
  FileTexts out;
  for (const std::string& n : names)
    if (const auto found = all.find(n); found != all.end()) out.insert(*found);
  return out;
}

Review review_application(const Application& applied, Review out, const System& system, const CheckRequest& request,
                          const ReadOptions& options) {
  const std::vector<std::string> read = files_read(system, options);
  out.system = system.name();
  out.notes = applied.notes;
  const FileTexts before = only(applied.before, read), after = only(applied.after, read);
  out.before = read_facts(before, system, options);
  // Nothing that rules look at has changed: the second reading would repeat the first.
  const bool same =
      std::equal(before.begin(), before.end(), after.begin(), after.end(),
                 [](const auto& a, const auto& b) { return a.first == b.first && (a.second == b.second); });
  ReadOptions again = options;
  again.earlier = out.before.runs;
  out.after = same ? out.before : read_facts(after, system, again);
  out.before.tree = out.tree;
  out.after.tree = out.tree + " with the patch";
  require_needed(out, request);
  fill_in(out.before, request, out.notes);
  fill_in(out.after, request, out.notes);
  compare_facts(out, system);
  const Coverage coverage(out, system, read);
  for (const AppliedFile& f : applied.applied) coverage.look_at(f, out);
  check_both(out, system, request);
  conclude(out, system);
  return out;
}

}  // namespace

Review review(const std::vector<Patch>& patches, const std::filesystem::path& tree, const System& system,
              const CheckRequest& request, const ReadOptions& options) {
  if (patches.empty()) throw InputError("no patch to review");
  const std::vector<std::string> read = files_read(system, options);
  const std::vector<std::string> named = paths_named(patches);
  require_specified(named, read, system, patches.front().source);

  const auto run = [&](const std::vector<std::string>& wanted) {
    std::vector<std::string> open = wanted;
    for (const std::string& n : named)
      if (!contains(open, n)) open.push_back(n);
    const SourceTree source = SourceTree::open(tree, open);
    Review out;
    out.tree = source.label();
    for (const Patch& p : patches) out.patches.push_back(p.subject.empty() ? p.source : p.subject);
    for (const std::string& name : system.files())
      if (!source.read(name))
        throw InputError(fmt::format("{}: no {} in it: is it a kernel source tree?", out.tree, name));
    return review_application(apply_patches(source, patches, wanted), std::move(out), system, request, options);
  };
  // Files that only some kernels have are looked for only if need be: see files_read_first.
  std::error_code error;
  const bool package = !std::filesystem::is_directory(tree, error);
  Review out = run(package ? files_read_first(system, options) : read);
  const bool more = package && read.size() > files_read_first(system, options).size();
  return more && !out.before.complete() ? run(read) : out;
}

namespace {

ProcessResult git(const std::filesystem::path& repository, std::vector<std::string> arguments) {
  std::vector<std::string> argv{"git", "-C", repository.string(), "--no-pager", "--literal-pathspecs"};
  argv.insert(argv.end(), arguments.begin(), arguments.end());
  return run_checked({.argv = argv, .package = "git", .directory = {}, .input = {}});
}

}  // namespace

Review review_range(const std::string& range, const std::filesystem::path& repository, const System& system,
                    const CheckRequest& request, const ReadOptions& options) {
  const auto dots = range.find("..");
  if (dots == std::string::npos || dots == 0 || range.front() == '-' || range.find("...") != std::string::npos)
    throw InputError(fmt::format("{}: not a range: write A..B with two commits of {}", range, repository.string()));
  const std::string from = range.substr(0, dots);
  std::string to = range.substr(dots + 2);
  if (to.empty()) to = "HEAD";
  const std::string before =
      first_line(git(repository, {"rev-parse", "--verify", "--end-of-options", from + "^{commit}"}).out);
  const std::string after =
      first_line(git(repository, {"rev-parse", "--verify", "--end-of-options", to + "^{commit}"}).out);
  // One diff over the whole range, so that merges in it do no harm.
  const std::string diff = git(repository, {"diff", "--no-color", "--no-ext-diff", "--no-textconv", "--no-renames",
                                            "--src-prefix=a/", "--dst-prefix=b/", before, after})
                               .out;
  if (diff.empty()) throw InputError(fmt::format("{}: no change between the two commits", range));
  std::vector<Patch> patches = read_patches(diff, range);

  // The files come from the commit, not from the work tree, which may be at any other.
  const TemporaryDirectory checkout;
  std::vector<std::string> names = files_read(system, options);
  for (const std::string& n : paths_named(patches)) names.push_back(n);
  for (const std::string& n : names) {
    const ProcessResult listed = git(repository, {"ls-tree", before, "--", n});
    if (listed.out.starts_with("100")) write_file(checkout.path() / n, git(repository, {"show", before + ":" + n}).out);
  }
  Review out = review(patches, checkout.path(), system, request, options);
  out.tree = fmt::format("{} at {}", repository.string(), from);
  out.before.tree = out.tree;
  out.after.tree = fmt::format("{} at {}", repository.string(), to);
  return out;
}

Review review_facts(const FactReading& before, const FactReading& after, const std::vector<std::string>& changes,
                    const System& system, const CheckRequest& request) {
  Review out;
  out.system = system.name();
  out.tree = before.tree;
  out.patches = changes;
  out.before = before;
  out.after = after;
  compare_facts(out, system);
  check_both(out, system, request);
  conclude(out, system);
  if (out.exit == exit_holds && out.facts_changed.empty()) out.verdict = "no fact changes";
  return out;
}

Review review_build(Review reviewed, const Build& build, const System& system, const CheckRequest& request) {
  Review out = std::move(reviewed);
  out.build = build.name;
  for (const auto& [name, value] : build.facts)
    for (FactReading* side : {&out.before, &out.after})
      for (FactRead& f : side->facts)
        if (f.name == name) f = {name, value, "the build under review", {}, 0, {}};
  out.facts_changed.clear();
  out.unknown.clear();
  out.properties.clear();
  out.costs.clear();
  out.checked = false;
  out.reason.clear();
  compare_facts(out, system);
  check_both(out, system, request);
  conclude(out, system);
  return out;
}

}  // namespace iomc::check
