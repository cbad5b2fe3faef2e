// SPDX-License-Identifier: GPL-2.0-or-later
// An answer as a report.
#pragma once

#include <string>

#include "checker/ask/answer.hpp"

namespace iomc::report {

std::string answer_text(const check::ask::Answer& answer, bool stats);

/// One object, {"schema": "iomc.answer/1", …}: docs/answer.schema.json.
std::string answer_json(const check::ask::Answer& answer, bool stats);

}  // namespace iomc::report
