// SPDX-License-Identifier: GPL-2.0-or-later
// Directory coherence after Steven German's protocol, control part only: N clients ask a home node for a line.
//
// The same atomic steps as bench/spin/g*.pml and bench/rumur/g*.m, so that counts can be compared.
#pragma once

#include <array>
#include <span>
#include <string>

#include "model/property.hpp"
#include "model/reflect.hpp"
#include "model/step.hpp"

namespace iomc::bench {

/// A client's line, and the messages of the three channels. Channel 3 carries only the acknowledgement, 1.
inline constexpr unsigned line_invalid = 0;
inline constexpr unsigned line_shared = 1;
inline constexpr unsigned line_exclusive = 2;
inline constexpr unsigned request_none = 0;
inline constexpr unsigned request_shared = 1;
inline constexpr unsigned request_exclusive = 2;
inline constexpr unsigned reply_none = 0;
inline constexpr unsigned reply_invalidate = 1;
inline constexpr unsigned reply_shared = 2;
inline constexpr unsigned reply_exclusive = 3;

/// The steps in which a client takes part, then the home node's two.
inline constexpr unsigned german_ask_shared = 0;
inline constexpr unsigned german_ask_exclusive = 1;
inline constexpr unsigned german_accept = 2;
inline constexpr unsigned german_invalidate = 3;
inline constexpr unsigned german_acknowledge = 4;
inline constexpr unsigned german_collect = 5;
inline constexpr unsigned german_get_shared = 6;
inline constexpr unsigned german_get_exclusive = 7;
inline constexpr unsigned german_client_steps = 8;
inline constexpr unsigned german_grant_shared = 8;
inline constexpr unsigned german_grant_exclusive = 9;
inline constexpr unsigned german_steps = 10;

inline constexpr std::array<model::StepInfo, german_steps> german_step_table = {{
    {"ask_shared", "client", "bench/german.hpp", "a client without the line asks for a shared copy"},
    {"ask_exclusive", "client", "bench/german.hpp", "a client asks to own the line"},
    {"accept", "home", "bench/german.hpp", "home takes up a request and notes whom to invalidate"},
    {"invalidate", "home", "bench/german.hpp", "home tells a sharer to drop its copy"},
    {"acknowledge", "client", "bench/german.hpp", "a client drops its copy and says so"},
    {"collect", "home", "bench/german.hpp", "home takes an acknowledgement"},
    {"get_shared", "client", "bench/german.hpp", "a client receives a shared copy"},
    {"get_exclusive", "client", "bench/german.hpp", "a client receives the line to own"},
    {"grant_shared", "home", "bench/german.hpp", "home sends a shared copy to the asking client"},
    {"grant_exclusive", "home", "bench/german.hpp", "home gives the line away"},
}};

struct GermanConfig {
  bool check_exclusive = true;  ///< false, for the test of the checker: an owned line is shared as well
};

template <class D, unsigned N>
struct GermanState {
  using Byte = typename D::template Bits<8>;

  std::array<Byte, N> cache{};
  std::array<Byte, N> request{};      // channel 1, client to home
  std::array<Byte, N> reply{};        // channel 2, home to client
  std::array<Byte, N> acknowledged{}; // channel 3, client to home
  std::array<Byte, N> to_invalidate{};
  std::array<Byte, N> sharer{};
  Byte command{};                     // the request in progress
  Byte asking{};                      // whose it is
  Byte exclusive{};                   // home has given the line away

  template <class Self, class F>
  static void visit(Self& self, F&& f) {
    f("cache", self.cache, model::Range{0, line_exclusive});
    f("request", self.request, model::Range{0, request_exclusive});
    f("reply", self.reply, model::Range{0, reply_exclusive});
    f("acknowledged", self.acknowledged, model::flag);
    f("to_invalidate", self.to_invalidate, model::flag);
    f("sharer", self.sharer, model::flag);
    f("command", self.command, model::Range{0, request_exclusive});
    f("asking", self.asking, model::Range{0, N - 1});
    f("exclusive", self.exclusive, model::flag);
  }
};

template <class D, unsigned N>
class German {
 public:
  using State = GermanState<D, N>;
  struct Event {};
  using Context = model::StepContext<Event>;

  German() = default;
  explicit German(GermanConfig config) : config_(config) {}

  const char* name() const { return "german"; }
  std::span<const model::StepInfo> steps() const { return german_step_table; }
  unsigned instances() const { return N * german_client_steps + 2; }
  unsigned step_of(unsigned instance) const {
    if (instance < N * german_client_steps) return instance % german_client_steps;
    return german_client_steps + instance - N * german_client_steps;
  }
  bool may_stop(const State&) const { return false; }
  model::Lane lane(const State&, unsigned instance) const {
    const unsigned step = step_of(instance);
    const bool home = std::string_view(german_step_table[step].function) == "home";
    if (home) return {-1, "home"};
    const unsigned client = instance / german_client_steps;
    return {static_cast<int>(client), "client " + std::to_string(client)};
  }

  void initial(State& s, Context&) const { s = State{}; }

  template <class F>
  void for_each_candidate(const State& s, F&& f) const {
    for (unsigned i = 0; i < N; ++i) {
      const unsigned first = i * german_client_steps;
      if (s.request[i] == request_none) {
        f(first + german_ask_shared);
        f(first + german_ask_exclusive);
      } else {
        f(first + german_accept);
      }
      if (s.to_invalidate[i] != 0) f(first + german_invalidate);
      if (s.reply[i] == reply_invalidate) f(first + german_acknowledge);
      if (s.acknowledged[i] != 0) f(first + german_collect);
      if (s.reply[i] == reply_shared) f(first + german_get_shared);
      if (s.reply[i] == reply_exclusive) f(first + german_get_exclusive);
    }
    f(N * german_client_steps);
    f(N * german_client_steps + 1);
  }

  bool fire(State& s, unsigned instance, Context&) const {
    if (instance == N * german_client_steps) return grant_shared(s);
    if (instance > N * german_client_steps) return grant_exclusive(s);
    const unsigned i = instance / german_client_steps;
    switch (instance % german_client_steps) {
      case german_ask_shared: return ask_shared(s, i);
      case german_ask_exclusive: return ask_exclusive(s, i);
      case german_accept: return accept(s, i);
      case german_invalidate: return invalidate(s, i);
      case german_acknowledge: return acknowledge(s, i);
      case german_collect: return collect(s, i);
      case german_get_shared: return get(s, i, reply_shared, line_shared);
      default: return get(s, i, reply_exclusive, line_exclusive);
    }
  }

 private:
  static bool ask_shared(State& s, unsigned i) {
    if (s.request[i] != request_none || s.cache[i] != line_invalid) return false;
    s.request[i] = request_shared;
    return true;
  }

  static bool ask_exclusive(State& s, unsigned i) {
    if (s.request[i] != request_none || s.cache[i] == line_exclusive) return false;
    s.request[i] = request_exclusive;
    return true;
  }

  static bool accept(State& s, unsigned i) {
    if (s.command != request_none || s.request[i] == request_none) return false;
    s.command = s.request[i];
    s.asking = i;
    s.request[i] = request_none;
    s.to_invalidate = s.sharer;
    return true;
  }

  static bool invalidate(State& s, unsigned i) {
    if (s.reply[i] != reply_none || s.to_invalidate[i] == 0) return false;
    if (s.command == request_none || (s.command == request_shared && s.exclusive == 0)) return false;
    s.reply[i] = reply_invalidate;
    s.to_invalidate[i] = 0;
    return true;
  }

  static bool acknowledge(State& s, unsigned i) {
    if (s.reply[i] != reply_invalidate || s.acknowledged[i] != 0) return false;
    s.reply[i] = reply_none;
    s.acknowledged[i] = 1;
    s.cache[i] = line_invalid;
    return true;
  }

  static bool collect(State& s, unsigned i) {
    if (s.acknowledged[i] == 0 || s.command == request_none) return false;
    s.acknowledged[i] = 0;
    s.sharer[i] = 0;
    s.exclusive = 0;
    return true;
  }

  static bool get(State& s, unsigned i, unsigned what, unsigned as) {
    if (s.reply[i] != what) return false;
    s.cache[i] = as;
    s.reply[i] = reply_none;
    return true;
  }

  bool grant_shared(State& s) const {
    if (s.command != request_shared) return false;
    if (config_.check_exclusive && s.exclusive != 0) return false;
    return grant(s, reply_shared);
  }

  static bool grant_exclusive(State& s) {
    if (s.command != request_exclusive || s.exclusive != 0) return false;
    for (const auto& sharer : s.sharer)
      if (sharer != 0) return false;
    if (!grant(s, reply_exclusive)) return false;
    s.exclusive = 1;
    return true;
  }

  static bool grant(State& s, unsigned what) {
    const std::size_t client = model::index_of(s.asking, N);
    if (s.reply[client] != reply_none) return false;
    s.reply[client] = what;
    s.sharer[client] = 1;
    s.command = request_none;
    s.asking = 0;
    return true;
  }

  GermanConfig config_;
};

template <class D, unsigned N>
unsigned german_count(const GermanState<D, N>& s, unsigned wanted) {
  unsigned n = 0;
  for (const auto& line : s.cache)
    if (line == wanted) ++n;
  return n;
}

template <class D, unsigned N>
model::Property<German<D, N>> german_coherence() {
  using Spec = German<D, N>;
  using State = typename Spec::State;
  model::Property<Spec> p;
  p.info = {"german.coherence", "a line that one client owns is in no other client's cache",
            "two clients see different data at one address",
            "S. German; A. Pnueli, S. Ruah, L. Zuck, Automatic deductive verification, 2001",
            model::PropertyKind::safety};
  p.holds_in = [](const Spec&, const State& s) {
    const unsigned owners = german_count(s, line_exclusive);
    return owners == 0 || (owners == 1 && german_count(s, line_shared) == 0);
  };
  p.relevant_in = [](const Spec&, const State& s) { return german_count(s, line_exclusive) > 0; };
  p.explain = [](const Spec&, const State&, const State& after, const typename Spec::Event*) {
    return std::to_string(german_count(after, line_exclusive)) + " clients own the line and " +
           std::to_string(german_count(after, line_shared)) + " share it";
  };
  return p;
}

}  // namespace iomc::bench
