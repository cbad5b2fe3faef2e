// SPDX-License-Identifier: GPL-2.0-or-later
#include <fmt/format.h>

#include "checker/ask/answer.hpp"
#include "checker/ask/question.hpp"
#include "checker/report/answer.hpp"
#include "checker/cli/command.hpp"
#include "checker/cli/common.hpp"
#include "checker/cli/interrupt.hpp"
#include "checker/cli/progress.hpp"
#include "checker/cli/selection.hpp"

namespace iomc::cli {

namespace {

using check::InputError;
namespace ask = check::ask;

class Ask : public Command {
 public:
  std::string name() const override { return "ask"; }
  std::string summary() const override { return "which facts, sizes and states are possible, and which are best"; }
  std::string description() const override {
    return "QUESTION is SPEC: find NAMES where CONDITION, all NAMES where CONDITION, min NUMBER where CONDITION or max "
           "NUMBER where CONDITION. Names are facts and sizes, or with --config the fields of that configuration's "
           "states (the prompt's 'state' lists them). Conditions: numbers, + - * &, = != < <= > >=, NAME in A..B, and, "
           "or, not, violated(ID), holds(ID). With 'within K steps' Z3 answers for runs of at most K steps, where "
           "cost(EVENT) is known too, and 'for SIZE in A..B' repeats a min or max; without, every run is explored. "
           "Where nothing is possible, the conditions that exclude each other are named. Exit status 0: answered, also "
           "by 'nothing'; 125: unknown.";
  }
  std::string examples() const override {
    return "iomc ask 'iova: min cpus where violated(P12)' --kernel 6.12 --config hotplug-strict\n"
           "iomc ask 'vmd: all device, shadow where VMCONFIG & 2 = 2 and platform = guest' --config mode\n"
           "iomc ask 'iova: max mappings within 8 steps' --config fill --set mag_size=1 --set max_ranges=2\n"
           "iomc ask 'vfio: min priority where violated(L6)' --kernel 6.12-rt --config hog";
  }
  std::vector<Argument> arguments() override {
    std::vector<Argument> out = {{"QUESTION", "QUESTION", "in one word: quote it", &question_, true}};
    for (auto& a : selection_.arguments()) out.push_back(std::move(a));
    return out;
  }

  Outcome run(const Common& common) override {
    if (common.format != report::Format::text && common.format != report::Format::json)
      throw InputError("ask: --format is text or json");
    const ask::Question question = ask::parse(question_);
    if (question.spec.empty())
      throw InputError("ask: the question begins with a specification, as in iova: " + question_);
    const check::System& system = check::find_system(question.spec.substr(0, question.spec.find('.')));
    Selected selected = select(system, selection_);
    if (!selected.unknown.empty())
      throw InputError("unknown in this tree, give it with --set: " + joined(selected.unknown));
    check::CheckRequest& request = selected.request;
    request.limit_states = common.state_limit;
    request.limit_memory_bytes = common.memory_limit_bytes;
    request.limit_seconds = common.time_limit_seconds;
    request.interrupted = &interrupted();
    if (common.progress) request.progress = progress_lines();
    ask::Answer answer = system.ask(question, request);
    answer.question = question.text;
    answer.spec = system.name();
    answer.kernel = request.kernel;
    Outcome out;
    out.report = common.format == report::Format::json ? report::answer_json(answer, common.stats)
                                                       : report::answer_text(answer, common.stats);
    if (answer.outcome == ask::Answer::Outcome::unknown) out.status = check::exit_inconclusive;
    return out;
  }

 private:
  std::string question_;
  Selection selection_;
};

}  // namespace

std::unique_ptr<Command> make_ask_command() { return std::make_unique<Ask>(); }

}  // namespace iomc::cli
