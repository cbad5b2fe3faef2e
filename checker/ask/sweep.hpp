// SPDX-License-Identifier: GPL-2.0-or-later
// A question for each value of a size, and the law that its answers follow.
#pragma once

#include <functional>

#include "checker/ask/answer.hpp"
#include "checker/ask/question.hpp"
#include "checker/system.hpp"

namespace iomc::check::ask {

/// Asks `once` for each value of the question's 'for', or only once where it has none.
Answer swept(const Question& question, const CheckRequest& request,
             const std::function<Answer(const CheckRequest&)>& once, const System& system);

}  // namespace iomc::check::ask
