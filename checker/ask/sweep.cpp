// SPDX-License-Identifier: GPL-2.0-or-later
#include "checker/ask/sweep.hpp"

#include <algorithm>

#include "checker/cost/growth.hpp"

namespace iomc::check::ask {

Answer swept(const Question& question, const CheckRequest& request,
             const std::function<Answer(const CheckRequest&)>& once, const System& system) {
  if (question.sweep.empty()) return once(request);
  Answer out;
  std::vector<cost::Sample> samples;
  for (std::uint64_t at = question.from; at <= question.to; ++at) {
    CheckRequest r = request;
    std::erase_if(r.sizes, [&](const auto& s) { return s.first == question.sweep; });
    system.set(question.sweep, std::to_string(at), r.facts, r.sizes);
    Answer one = once(r);
    auto found = std::move(out.found);
    const auto effort = std::array{out.rlimit, out.conflicts, out.decisions, out.checks};
    const Answer::Outcome before = out.outcome;
    out = std::move(one);
    if (at != question.from && before == Answer::Outcome::unknown) out.outcome = before;
    out.rlimit += effort[0];
    out.conflicts += effort[1];
    out.decisions += effort[2];
    out.checks += effort[3];
    if (out.found.empty()) out.found.emplace_back();
    out.found[0].at = at;
    if (out.found[0].optimum)
      samples.push_back({{static_cast<std::int64_t>(at)}, static_cast<std::int64_t>(*out.found[0].optimum)});
    found.insert(found.end(), std::make_move_iterator(out.found.begin()), std::make_move_iterator(out.found.end()));
    out.found = std::move(found);
    if (out.outcome == Answer::Outcome::unknown) return out;
  }
  // A value without an answer is an answer: none.
  out.outcome = Answer::Outcome::answered;
  out.core.clear();
  if (samples.size() == question.to - question.from + 1)
    if (const auto law = cost::find_law(samples)) out.law = law->text({question.sweep});
  return out;
}

}  // namespace iomc::check::ask
