# SPDX-License-Identifier: GPL-2.0-or-later
# -DIOMC_SANITIZE=address,undefined or -DIOMC_SANITIZE=thread
set(IOMC_SANITIZE "" CACHE STRING "sanitizers for everything built")
if(IOMC_SANITIZE)
  add_compile_options(-fsanitize=${IOMC_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${IOMC_SANITIZE})
endif()
