// SPDX-License-Identifier: GPL-2.0-or-later
#include "checker/cli/catalogue.hpp"
#include "checker/cli/command.hpp"
#include "checker/cli/common.hpp"

namespace iomc::cli {

namespace {

/// What is not a test result has no form in a format for test results.
void text_or_json_only(const Common& common, const std::string& command) {
  if (common.format == report::Format::ktap || common.format == report::Format::junit)
    throw check::InputError(command + ": ktap and junit are for the results of check; use --format text or json");
}

class List : public Command {
 public:
  std::string name() const override { return "list"; }
  std::string summary() const override {
    return "what there is: specifications, properties, kernels, steps, facts, profiles";
  }
  std::string description() const override {
    return "Lists names with a line about each. WHAT is one of specs (default), properties, kernels, steps, facts, "
           "configurations, sizes, profiles (machines) and events (what profiles give a time). All names are stable: "
           "scripts may depend on them.";
  }
  std::string examples() const override { return "iomc list\niomc list properties\niomc list facts --spec iova"; }
  std::vector<Argument> arguments() override {
    return {{"WHAT", "WHAT", "what to list", &what_}, {"--spec", "SPEC", "of this specification only", &spec_}};
  }
  Outcome run(const Common& common) override {
    text_or_json_only(common, name());
    const auto entries = catalogue(what_, spec_);
    const bool json = common.format == report::Format::json;
    return {json ? report::entries_json(entries) : report::list_text(entries, report_options(common))};
  }

 private:
  std::string what_ = "specs";
  std::string spec_;
};

class Explain : public Command {
 public:
  std::string name() const override { return "explain"; }
  std::string summary() const override { return "what a property, a step or a fact means, and where it comes from"; }
  std::string description() const override {
    return "Explains everything of that name: the claim of a property, why it matters and where it was found; the "
           "kernel "
           "function a step stands for; what a fact decides, and the commit that changed it. Kernels, configurations, "
           "sizes and specifications are explained as well.";
  }
  std::string examples() const override { return "iomc explain iova.P9\niomc explain flush_on_32bit_failure"; }
  std::vector<Argument> arguments() override { return {{"ID", "ID", "a name from iomc list", &id_, true}}; }
  Outcome run(const Common& common) override {
    text_or_json_only(common, name());
    std::vector<report::Entry> found;
    std::vector<std::string> names;
    for (const auto& kind : catalogue_kinds())
      for (auto& entry : catalogue(kind, "")) {
        names.push_back(entry.name);
        // Property ids may be given without their specification.
        if (entry.name == id_ || (entry.kind == "property" && entry.name == entry.spec + "." + id_))
          found.push_back(std::move(entry));
      }
    if (found.empty())
      throw check::InputError("explain " + id_ + ": nothing has that name" + did_you_mean(id_, names) + " (iomc list)");
    const bool json = common.format == report::Format::json;
    return {json ? report::entries_json(found) : report::explain_text(found, report_options(common))};
  }

 private:
  std::string id_;
};

}  // namespace

std::unique_ptr<Command> make_list_command() { return std::make_unique<List>(); }
std::unique_ptr<Command> make_explain_command() { return std::make_unique<Explain>(); }

}  // namespace iomc::cli
