// SPDX-License-Identifier: GPL-2.0-or-later
// Tables, as aligned text and as iomc.table/1 (docs/table.schema.json).
#include <algorithm>

#include "checker/report/json_parts.hpp"
#include "checker/report/plain.hpp"
#include "checker/report/writers.hpp"

namespace iomc::report {

std::string text_table(const check::Table& table, const Options& options) {
  std::vector<std::size_t> width;
  for (const auto& c : table.columns) width.push_back(ascii(c).size());
  for (const auto& row : table.rows)
    for (std::size_t i = 0; i < row.size(); ++i) width[i] = std::max(width[i], ascii(row[i]).size());
  const auto line = [&](const std::vector<std::string>& cells) {
    std::string out;
    for (std::size_t i = 0; i < cells.size(); ++i)
      out += i + 1 < cells.size() ? pad(ascii(cells[i]), width[i] + 2) : ascii(cells[i]);
    return out.substr(0, out.find_last_not_of(' ') + 1) + "\n";
  };
  std::string out = hanging("", ascii(table.title), options.width) + "\n" + line(table.columns);
  for (const auto& row : table.rows) out += line(row);
  if (!table.notes.empty()) out += "\n";
  for (const auto& note : table.notes) out += hanging("", ascii(note), options.width);
  return out;
}

std::string json_table(const check::Table& table) {
  Json out;
  out["schema"] = "iomc.table/1";
  out["spec"] = table.spec;
  out["table"] = table.name;
  out["title"] = table.title;
  out["columns"] = table.columns;
  out["rows"] = table.rows;
  out["notes"] = table.notes;
  return dump(out);
}

}  // namespace iomc::report
