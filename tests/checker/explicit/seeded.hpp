// SPDX-License-Identifier: GPL-2.0-or-later
// RapidCheck inside a Catch2 test, with its seed printed before it runs: RC_PARAMS="seed=…" repeats a run.
#pragma once

#include <catch2/catch.hpp>
#include <iostream>
#include <rapidcheck.h>
#include <sstream>
#include <string>
#include <utility>

#include <rapidcheck/detail/Configuration.h>

namespace iomc::test {

template <class Testable>
void seeded(const std::string& sentence, Testable&& testable) {
  std::cout << sentence << ": RC_PARAMS=\"seed=" << rc::detail::configuration().testParams.seed << "\"\n";
  const auto result = rc::detail::checkTestable(std::forward<Testable>(testable));
  std::ostringstream message;
  rc::detail::printResultMessage(result, message);
  INFO(sentence << "\n" << message.str());
  CHECK(result.template is<rc::detail::SuccessResult>());
}

}  // namespace iomc::test
