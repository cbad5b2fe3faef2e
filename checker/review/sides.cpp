// SPDX-License-Identifier: GPL-2.0-or-later
#include "checker/review/sides.hpp"

#include <algorithm>

namespace iomc::review {

check::RunResult Sides::check(const check::CheckRequest& request) const {
  const std::string side = questions_.empty() ? "before" : "after";
  Question question{request.facts, request.sizes, request.properties, request.configurations};
  const auto asked = std::find(questions_.begin(), questions_.end(), question);
  if (asked != questions_.end()) {
    check::RunResult again = answers_[static_cast<std::size_t>(asked - questions_.begin())];
    again.kernel = request.kernel;
    questions_.push_back(std::move(question));
    answers_.push_back(again);
    return again;
  }
  check::CheckRequest now = request;
  if (request.limit_seconds > 0) {
    const double gone = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
    now.limit_seconds = std::max(0.001, request.limit_seconds - gone);
  }
  if (request.progress)
    now.progress = [&request, &side](const check::ProgressReport& r) {
      check::ProgressReport told = r;
      told.configuration = side + ", " + r.configuration;
      request.progress(told);
    };
  check::RunResult answer = system_.check(now);
  questions_.push_back(std::move(question));
  answers_.push_back(answer);
  return answer;
}

}  // namespace iomc::review
