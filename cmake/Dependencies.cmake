# SPDX-License-Identifier: GPL-2.0-or-later
# All from Debian packages; packaging/install-dependencies.sh installs them.
find_package(fmt REQUIRED)
find_package(CLI11 REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(rapidcheck REQUIRED)
find_package(Catch2 2 REQUIRED)
find_package(Threads REQUIRED)

find_path(Z3_INCLUDE_DIR z3++.h REQUIRED)
find_library(Z3_LIBRARY z3 REQUIRED)
add_library(z3 INTERFACE)
target_include_directories(z3 SYSTEM INTERFACE ${Z3_INCLUDE_DIR})
target_link_libraries(z3 INTERFACE ${Z3_LIBRARY})

find_path(EDIT_INCLUDE_DIR histedit.h REQUIRED)
find_library(EDIT_LIBRARY edit REQUIRED)
add_library(edit INTERFACE)
target_include_directories(edit SYSTEM INTERFACE ${EDIT_INCLUDE_DIR})
target_link_libraries(edit INTERFACE ${EDIT_LIBRARY})
