// SPDX-License-Identifier: GPL-2.0-or-later
#include "checker/cli/command.hpp"
#include "checker/cli/common.hpp"
#include "checker/cli/selection.hpp"
#include "checker/review/review_api.hpp"

namespace iomc::cli {

namespace {

class Review : public Command {
 public:
  std::string name() const override { return "review"; }
  std::string summary() const override { return "check a kernel before and after a patch"; }
  std::string description() const override {
    return "Applies the patches to a copy of what they touch in the tree, reads the facts before and after, checks "
           "both, "
           "and reports what the change breaks, mends and costs. With a patch, --set gives sizes and stands in for "
           "facts "
           "that cannot be read; without one, it says what a change would do to a built-in kernel or to the tree. Exit "
           "status 1: a property that held before is violated after; 125: something is "
           "inconclusive, "
           "unknown or not covered; 0 otherwise.";
  }
  std::string examples() const override {
    return "iomc review fix.patch --tree linux\n"
           "b4 am -o - MESSAGE-ID | iomc review - --tree linux\n"
           "iomc review v6.12..HEAD --tree linux\n"
           "iomc review --kernel 4.13 --set flush_on_32bit_failure=false";
  }
  std::vector<Argument> arguments() override {
    return {
        {"PATCH", "PATCH", "patch files, a git range, or - for an mbox on standard input", &request_.patches},
        {"--tree", "DIR", "the kernel source the patches apply to; a linux-source-*.tar.xz will do", &request_.tree},
        {"--kernel", "V", "a built-in kernel as the state before", &request_.kernel},
        {"--set", "NAME=VALUE", "a size, a fact that cannot be read, or what the change does; may be given again",
         &request_.sets},
        {"--spec", "SPEC", "review for this specification only; may be given again", &request_.specs},
        {"--property", "ID", "check this property only; may be given again", &request_.limits.properties},
        {"--config", "NAME", "explore this configuration only; may be given again", &request_.limits.configurations},
    };
  }
  Outcome run(const Common& common) override {
    check_words();
    set_limits(request_.limits, common);
    for (auto& word : request_.limits.properties) word = full_id(word);
    auto outcome = review::review(request_, common.format, report_options(common));
    return {std::move(outcome.report), outcome.status};
  }

 private:
  /// The id of a property of any specification that may be reviewed.
  std::string full_id(const std::string& word) const {
    std::vector<const check::System*> systems;
    for (const auto& name : request_.specs) systems.push_back(&check::find_system(name));
    if (systems.empty())
      for (const auto& s : check::systems()) systems.push_back(s.get());
    for (std::size_t i = 0; i + 1 < systems.size(); ++i) {
      try {
        return property_id(*systems[i], word);
      } catch (const check::InputError&) {
        continue;  // the last one says what is wrong
      }
    }
    return property_id(*systems.back(), word);
  }

  void check_words() const {
    const bool patched = !request_.patches.empty();
    if (!request_.tree.empty() && !request_.kernel.empty())
      throw check::InputError("--kernel and --tree: give one of them");
    if (patched && request_.tree.empty())
      throw check::InputError("review " + request_.patches[0] + ": which tree does it apply to? give --tree DIR");
    if (!patched && request_.sets.empty())
      throw check::InputError("review: no change; give a PATCH with --tree DIR, or --kernel V with --set NAME=VALUE");
    if (!patched && request_.tree.empty() && request_.kernel.empty())
      throw check::InputError("review: which kernel does --set change? give --kernel V or --tree DIR");
  }

  review::ReviewRequest request_;
};

}  // namespace

std::unique_ptr<Command> make_review_command() { return std::make_unique<Review>(); }

}  // namespace iomc::cli
