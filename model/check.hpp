// SPDX-License-Identifier: GPL-2.0-or-later
// Internal checks, on in release builds: a model checker that has lost its own footing must not print a verdict.
#pragma once

#include <stdexcept>
#include <string>

namespace iomc::model {

/// The program broke a rule of its own. Never caused by input.
class InternalError : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

[[noreturn]] inline void internal_error(const char* what, const char* file, int line) {
  throw InternalError(std::string(file) + ":" + std::to_string(line) + ": internal error: " + what);
}

}  // namespace iomc::model

#define IOMC_CHECK_(kind, condition)                                                             \
  (static_cast<bool>(condition) ? static_cast<void>(0)                                           \
                                : ::iomc::model::internal_error(kind " " #condition, __FILE__, __LINE__))
#define IOMC_PRE(condition) IOMC_CHECK_("precondition", condition)
#define IOMC_POST(condition) IOMC_CHECK_("postcondition", condition)
#define IOMC_INVARIANT(condition) IOMC_CHECK_("invariant", condition)
#define IOMC_UNREACHABLE(why) ::iomc::model::internal_error("unreachable: " why, __FILE__, __LINE__)
