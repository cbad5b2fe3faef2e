// SPDX-License-Identifier: GPL-2.0-or-later
#include "checker/cli/command.hpp"
#include "checker/cli/common.hpp"
#include "checker/report/entries.hpp"
#include "checker/review/review_api.hpp"

namespace iomc::cli {

namespace {

class Facts : public Command {
 public:
  std::string name() const override { return "facts"; }
  std::string summary() const override { return "the facts read from a kernel tree"; }
  std::string description() const override {
    return "Reads from the kernel source in DIR the constants and choices on which the specifications depend, without "
           "building anything, and prints each with the place it was read from. Exit status 125 if one could not be "
           "read.";
  }
  std::string examples() const override {
    return "iomc facts --tree linux\niomc facts --tree linux --spec iova --format json";
  }
  std::vector<Argument> arguments() override {
    return {{"--tree", "DIR", "a kernel source tree, or a linux-source-*.tar.xz", &tree_},
            {"--spec", "SPEC", "of this specification only", &spec_}};
  }
  Outcome run(const Common& common) override;

 private:
  std::string tree_;
  std::string spec_;
};

report::Entry entry_of(const std::string& spec, const review::FactReading& f) {
  const std::string value = f.value ? *f.value : "unknown: " + f.reason;
  return {"fact",
          spec,
          f.name,
          value + (f.where.empty() ? "" : "   " + f.where),
          {{"value", f.value.value_or("")}, {"where", f.where}, {"reason", f.reason}}};
}

Outcome Facts::run(const Common& common) {
  if (common.format == report::Format::ktap || common.format == report::Format::junit)
    throw check::InputError("facts: ktap and junit are for the results of check; use --format text or json");
  if (tree_.empty()) throw check::InputError("facts: which tree? give --tree DIR, as in --tree linux");
  std::vector<const check::System*> systems;
  if (!spec_.empty()) systems.push_back(&check::find_system(spec_));
  if (spec_.empty())
    for (const auto& s : check::systems()) systems.push_back(s.get());
  Outcome out;
  std::vector<report::Entry> entries;
  const auto readings = review::read_facts(tree_, systems);
  for (std::size_t i = 0; i < systems.size(); ++i)
    for (const auto& f : readings[i]) {
      entries.push_back(entry_of(systems[i]->name(), f));
      if (!f.value) out.status = check::exit_inconclusive;
    }
  const bool json = common.format == report::Format::json;
  out.report = json ? report::entries_json(entries) : report::list_text(entries, report_options(common));
  return out;
}

}  // namespace

std::unique_ptr<Command> make_facts_command() { return std::make_unique<Facts>(); }

}  // namespace iomc::cli
