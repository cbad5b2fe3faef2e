// SPDX-License-Identifier: GPL-2.0-or-later
// The parts that the JSON reports have in common.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "checker/report/report.hpp"

namespace iomc::report {

using Json = nlohmann::ordered_json;

/// As it is written: indented, and text that is no UTF-8 replaced.
std::string dump(const Json& json);

/// Names and values as one object.
Json words_json(const std::vector<std::pair<std::string, std::string>>& words);

/// A property's result, with its counterexample.
Json result_json(const std::string& spec, const check::PropertyResult& result, const Options& options);

Json exploration_json(const check::Exploration& exploration, const Options& options = {});

}  // namespace iomc::report
