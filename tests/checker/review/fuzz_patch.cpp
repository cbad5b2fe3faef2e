// SPDX-License-Identifier: GPL-2.0-or-later
// The patch reader on arbitrary bytes: it returns patches or refuses, and what it returns stays inside the tree.
//   cmake -S . -B build/fuzz -G Ninja -DIOMC_FUZZ=ON -DCMAKE_CXX_COMPILER=clang++
//   cmake --build build/fuzz --target fuzz_patch
//   build/fuzz/tests/checker/review/fuzz_patch -runs=200000 -max_len=4096 -max_total_time=120 -seed=1
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "checker/result.hpp"
#include "checker/review/c_text.hpp"
#include "checker/review/patch.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try {
    for (const auto& patch : iomc::check::read_patches(text, "fuzz"))
      for (const auto& file : patch.files)
        for (const auto& path : {file.old_path, file.new_path})
          if (!path.empty() && !iomc::check::unsafe_path(path).empty()) std::abort();
  } catch (const iomc::check::InputError&) {
  }
  const auto tokens = iomc::check::tokenize(text);
  iomc::check::regions(tokens.tokens);
  iomc::check::evaluate(tokens.tokens, iomc::check::object_macros(tokens.tokens));
  return 0;
}
