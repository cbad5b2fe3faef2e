// SPDX-License-Identifier: GPL-2.0-or-later
// bench_models MODEL: explores one benchmark model with the ordinary explorer and prints what it found.
#include <sys/resource.h>

#include <array>
#include <cstdio>
#include <exception>
#include <string_view>

#include "bench/filter_lock.hpp"
#include "bench/german.hpp"
#include "bench/magazines.hpp"
#include "checker/explicit/explorer.hpp"

namespace iomc::bench {
namespace {

double cpu_seconds() {
  rusage u{};
  getrusage(RUSAGE_SELF, &u);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
  };
  return seconds(u.ru_utime) + seconds(u.ru_stime);
}

template <class Spec>
int run(const char* model, const model::Property<Spec>& property) {
  const Spec spec;
  const std::array<model::Property<Spec>, 1> properties = {property};
  const check::Exploration e = check::explore<Spec>(spec, properties);
  const double seconds = cpu_seconds();
  std::printf("model %s\nstates %llu\ntransitions %llu\ndepth %llu\n", model, static_cast<unsigned long long>(e.states),
              static_cast<unsigned long long>(e.transitions), static_cast<unsigned long long>(e.depth));
  bool holds = e.complete;
  for (const auto& r : e.results) {
    holds &= r.verdict == check::Verdict::holds && !r.vacuous;
    std::printf("verdict %s %s%s\n", r.property.c_str(), check::name(r.verdict), r.vacuous ? " (vacuous)" : "");
  }
  std::printf("cpu_seconds %.3f\nstates_per_cpu_second %.0f\n", seconds, static_cast<double>(e.states) / seconds);
  std::printf("peak_memory_bytes %llu\n", static_cast<unsigned long long>(e.stats.peak_memory_bytes));
  return holds ? 0 : 1;
}

template <unsigned N>
int filter(const char* model) {
  return run<FilterLock<model::Concrete, N>>(model, filter_mutual_exclusion<model::Concrete, N>());
}
template <unsigned N>
int german(const char* model) {
  return run<German<model::Concrete, N>>(model, german_coherence<model::Concrete, N>());
}
template <unsigned K>
int magazines(const char* model) {
  return run<Magazines<model::Concrete, K>>(model, magazines_no_duplicate<model::Concrete, K>());
}

struct Entry {
  const char* name;
  int (*run)(const char*);
};
constexpr std::array<Entry, 6> entries = {{{"f5", filter<5>},
                                           {"f6", filter<6>},
                                           {"g4", german<4>},
                                           {"g5", german<5>},
                                           {"m7", magazines<7>},
                                           {"m8", magazines<8>}}};

}  // namespace
}  // namespace iomc::bench

int main(int argc, char** argv) {
  try {
    if (argc == 2)
      for (const auto& e : iomc::bench::entries)
        if (std::string_view(argv[1]) == e.name) return e.run(e.name);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "bench_models: %s\n", e.what());
    return 2;
  }
  std::fputs("usage: bench_models f5|f6|g4|g5|m7|m8\n", stderr);
  return 129;
}
