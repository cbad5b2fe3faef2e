# SPDX-License-Identifier: GPL-2.0-or-later
# cmake -DFACTS=folder -DOUT=file.cpp -P embed.cmake: writes the rule files into a C++ source.
file(GLOB rules RELATIVE ${FACTS} ${FACTS}/*.iso ${FACTS}/*/*.cocci)
list(SORT rules)
set(body "")
foreach(rule ${rules})
  get_filename_component(system ${rule} DIRECTORY)
  get_filename_component(name ${rule} NAME)
  file(READ ${FACTS}/${rule} text)
  string(APPEND body "      {\"${system}\", \"${name}\", R\"iomc(${text})iomc\"},\n")
endforeach()
file(WRITE ${OUT} "// Generated from checker/review/facts.
#include \"checker/review/rules.hpp\"

namespace iomc::check::builtin {

const std::vector<Text>& rule_texts() {
  static const std::vector<Text> all = {
${body}  };
  return all;
}

}  // namespace iomc::check::builtin
")
