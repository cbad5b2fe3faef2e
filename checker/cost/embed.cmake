# SPDX-License-Identifier: GPL-2.0-or-later
# cmake -DPROFILES=folder -DOUT=file.cpp -P embed.cmake: writes the machine profiles into a C++ source.
file(GLOB files RELATIVE ${PROFILES} ${PROFILES}/*.json)
list(SORT files)
set(body "")
foreach(name ${files})
  file(READ ${PROFILES}/${name} text)
  string(APPEND body "      {\"checker/cost/profiles/${name}\", R\"iomc(${text})iomc\"},\n")
endforeach()
file(WRITE ${OUT} "// Generated from checker/cost/profiles.
#include \"checker/cost/profile.hpp\"

namespace iomc::check::cost::builtin {

const std::vector<ProfileText>& profile_texts() {
  static const std::vector<ProfileText> all = {
${body}  };
  return all;
}

}  // namespace iomc::check::cost::builtin
")
