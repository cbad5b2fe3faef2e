// SPDX-License-Identifier: GPL-2.0-or-later
#include "checker/system.hpp"

#include "checker/ask/answer.hpp"
#include "checker/ask/question.hpp"

namespace iomc::check {

std::unique_ptr<Walk> System::walk(const CheckRequest&) const {
  throw InputError(name() + " cannot be walked through by hand");
}

std::optional<Allowed> System::possible(const std::string&) const { return std::nullopt; }

ask::Answer System::ask(const ask::Question& question, const CheckRequest&) const {
  throw InputError(name() + " answers no questions: " + question.text);
}

}  // namespace iomc::check
