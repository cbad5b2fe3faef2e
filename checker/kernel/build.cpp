// SPDX-License-Identifier: GPL-2.0-or-later
#include "checker/kernel/build.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <regex>
#include <set>

#include "checker/process.hpp"
#include "checker/result.hpp"

namespace iomc::check {

namespace {

namespace fs = std::filesystem;

constexpr const char* no_compiler =
    "kernel code is compiled before it is run, and there is no C compiler: install gcc, or name one in CC";

std::string compiler() {
  if (const char* given = std::getenv("CC"); given != nullptr && *given != '\0') return given;
  return "cc";
}

/// The number of a #define is replaced; everything else stays. InputError if there is no such line.
std::string with_constant(const std::string& text, const std::string& name, const std::string& value, bool& found) {
  const std::regex line("(^|\n)(#define[ \t]+" + name + "[ \t]+)([0-9]+)");
  std::smatch at;
  if (!std::regex_search(text, at, line)) return text;
  found = true;
  return at.prefix().str() + at[1].str() + at[2].str() + value + at.suffix().str();
}

/// What a file includes: with < > or in quotes.
std::vector<std::pair<char, std::string>> includes_of(const std::string& text) {
  std::vector<std::pair<char, std::string>> out;
  const std::regex line("(^|\n)[ \t]*#[ \t]*include[ \t]*([<\"])([^>\"]+)[>\"]");
  for (std::sregex_iterator it(text.begin(), text.end(), line), end; it != end; ++it)
    out.emplace_back((*it)[2].str()[0], (*it)[3].str());
  return out;
}

/// Every header that was not taken from the tree is the shim.
void forward_headers(const fs::path& root, const std::string& from, const std::string& text) {
  for (const auto& [kind, name] : includes_of(text)) {
    const fs::path at = kind == '<' ? fs::path("include") / name : fs::path(from).parent_path() / name;
    if (!fs::exists(root / "tree" / at)) write_file(root / "tree" / at, "#include <iomc_kernel.h>\n");
  }
}

/// The first line that says what is wrong.
std::string complaint(const std::string& err, const std::string& root) {
  std::string line;
  for (std::size_t at = 0; at < err.size();) {
    const std::size_t end = std::min(err.find('\n', at), err.size());
    line = err.substr(at, end - at);
    if (line.find("error") != std::string::npos) break;
    at = end + 1;
  }
  for (std::size_t at; (at = line.find(root + "/tree/")) != std::string::npos;) line.erase(at, root.size() + 6);
  return line;
}

}  // namespace

void BuiltCode::Close::operator()(void* handle) const { ::dlclose(handle); }

BuiltCode BuiltCode::make(const SourceTree& tree, const Recipe& recipe) {
  BuiltCode out;
  const fs::path root = out.directory_.path();
  std::set<std::string> unused;
  for (const auto& [name, value] : recipe.constants) unused.insert(name);
  std::vector<std::pair<std::string, std::string>> taken;
  std::vector<std::string> features;
  for (const std::string& file : recipe.files) {
    std::optional<std::string> text = tree.read(file);
    if (!text) throw InputError(fmt::format("{}: it has no {}: its code cannot be run", tree.label(), file));
    for (const auto& [name, value] : recipe.constants) {
      bool found = false;
      *text = with_constant(*text, name, value, found);
      if (found) unused.erase(name);
    }
    for (const Recipe::Feature& feature : recipe.features)
      if (feature.file == file && text->find(feature.text) != std::string::npos) features.push_back(feature.macro);
    write_file(root / "tree" / file, *text);
    taken.emplace_back(file, std::move(*text));
  }
  if (!unused.empty())
    throw InputError(fmt::format("{}: no line defines {}: its code cannot be run at other sizes than its own",
                                 tree.label(), *unused.begin()));
  for (const auto& [file, text] : taken) forward_headers(root, file, text);
  for (const auto& [name, text] : builtin::shim_texts()) write_file(root / "shim" / name, text);

  const fs::path object = root / "code.so";
  std::vector<std::string> argv{compiler(),  "-std=gnu11",           "-O2",     "-w",
                                "-fPIC",     "-shared",              "-fwrapv", "-fno-strict-aliasing",
                                "-pipe",     "-I" + (root / "shim").string(),
                                "-I" + (root / "tree/include").string(),
                                "-I" + (root / "tree").string(),     "-o",      object.string()};
  features.insert(features.end(), recipe.macros.begin(), recipe.macros.end());
  for (const std::string& macro : features) argv.push_back("-D" + macro);
  for (const std::string& unit : recipe.units) {
    const bool shim = unit.find('/') == std::string::npos;
    argv.push_back((root / (shim ? "shim" : "tree") / unit).string());
  }
  ProcessResult built;
  try {
    built = run_process({.argv = argv, .package = "gcc", .directory = {}, .input = {}});
  } catch (const InputError&) {
    throw InputError(no_compiler);
  }
  if (built.status != 0)
    throw InputError(fmt::format("{}: its code does not compile with these shims: {}", tree.label(),
                                 complaint(built.err, root.string())));
  // Lazily: what the tree's files call beyond the shims is in functions that nobody calls.
  out.handle_.reset(::dlopen(object.c_str(), RTLD_LAZY | RTLD_LOCAL));
  if (!out.handle_) throw InputError(fmt::format("{}: its code cannot be loaded: {}", tree.label(), ::dlerror()));
  return out;
}

void* BuiltCode::symbol(const std::string& name) const {
  void* found = ::dlsym(handle_.get(), name.c_str());
  if (found == nullptr) throw InputError("the built kernel code has no symbol " + name);
  return found;
}

}  // namespace iomc::check
