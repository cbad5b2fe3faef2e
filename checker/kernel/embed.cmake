# SPDX-License-Identifier: GPL-2.0-or-later
# cmake -DSHIM=folder -DOUT=file.cpp -P embed.cmake: writes the shims into a C++ source, as strings short enough for any
# compiler.
file(GLOB files RELATIVE ${SHIM} ${SHIM}/*.h ${SHIM}/*.c)
list(SORT files)
set(body "")
foreach(name ${files})
  file(READ ${SHIM}/${name} text)
  string(APPEND body "      {\"${name}\", std::string()")
  string(LENGTH "${text}" left)
  set(at 0)
  while(at LESS left)
    string(SUBSTRING "${text}" ${at} 8000 piece)
    string(APPEND body " + R\"iomc(${piece})iomc\"")
    math(EXPR at "${at} + 8000")
  endwhile()
  string(APPEND body "},\n")
endforeach()
file(WRITE ${OUT} "// Generated from checker/kernel/shim.
#include \"checker/kernel/build.hpp\"

namespace iomc::check::builtin {

const std::vector<std::pair<std::string, std::string>>& shim_texts() {
  static const std::vector<std::pair<std::string, std::string>> all = {
${body}  };
  return all;
}

}  // namespace iomc::check::builtin
")
