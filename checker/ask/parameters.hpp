// SPDX-License-Identifier: GPL-2.0-or-later
// Questions about facts and sizes: Z3 proposes values, the engines say what is violated there, and Z3 learns it, until
// a proposal stands or there is none left.
#pragma once

#include "checker/ask/answer.hpp"
#include "checker/ask/question.hpp"
#include "checker/system.hpp"

namespace iomc::check::ask {

/// Whether a question is one about facts and sizes: it asks for a verdict, or names nothing else and no configuration
/// is chosen whose states could be meant.
bool about_parameters(const Question& question, const System& system, const CheckRequest& request);

/// Each evaluation is a `System::check` of `request` with the proposed values set. A name that the question neither
/// asks for nor ranges over keeps the request's value. InputError for a name that is neither a fact nor a size.
Answer answer_parameters(const Question& question, const System& system, const CheckRequest& request);

}  // namespace iomc::check::ask
