// SPDX-License-Identifier: GPL-2.0-or-later
// RapidCheck inside a Catch2 test, with its seed printed before it runs: RC_PARAMS="seed=…" repeats a run.
#pragma once

#include <algorithm>
#include <catch2/catch.hpp>
#include <iostream>
#include <rapidcheck.h>
#include <sstream>
#include <string>
#include <utility>

#include <rapidcheck/detail/Configuration.h>

namespace iomc::test {

/// `cases` is how many are tried at least.
template <class Testable>
void seeded(const std::string& sentence, Testable&& testable, int cases = 0) {
  auto params = rc::detail::configuration().testParams;
  params.maxSuccess = std::max(params.maxSuccess, cases);
  std::cout << sentence << ": RC_PARAMS=\"seed=" << params.seed << "\"\n";
  const auto result =
      rc::detail::checkTestable(std::forward<Testable>(testable), rc::detail::TestMetadata{}, params);
  std::ostringstream message;
  rc::detail::printResultMessage(result, message);
  INFO(sentence << "\n" << message.str());
  CHECK(result.template is<rc::detail::SuccessResult>());
}

}  // namespace iomc::test
