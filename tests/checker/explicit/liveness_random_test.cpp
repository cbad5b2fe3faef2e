// SPDX-License-Identifier: GPL-2.0-or-later
// Random graphs against a decision procedure that could not be simpler: every set of states that a run might repeat for
// ever is tried.
#include <array>
#include <bit>
#include <cstdint>
#include <optional>

#include "tests/checker/explicit/arrows.hpp"
#include "tests/checker/explicit/seeded.hpp"

using namespace iomc;
using check::Verdict;
using test::Arrows;

namespace {

using Mask = unsigned;  // a set of states
constexpr unsigned unreached = 1000;

struct Sample {
  Arrows spec;
  Mask trigger = 0;
  Mask goal = 0;
  std::vector<Mask> assumptions;

  test::States set(Mask m) const {
    test::States out;
    for (unsigned s = 0; s < spec.states; ++s)
      if ((m >> s & 1) != 0) out.insert(s);
    return out;
  }
  test::ArrowsLeadsTo property() const {
    std::vector<std::pair<std::string, test::States>> named;
    for (std::size_t i = 0; i < assumptions.size(); ++i)
      named.emplace_back("arrows.A" + std::to_string(i), set(assumptions[i]));
    return test::leads_to(set(trigger), set(goal), named);
  }
};

Sample sample(const std::vector<int>& bytes) {
  std::size_t at = 0;
  const auto below = [&](unsigned n) { return at < bytes.size() ? static_cast<unsigned>(bytes[at++]) % n : 0; };
  Sample out;
  const unsigned n = 1 + below(7);
  out.spec.states = n;
  out.trigger = below(1U << n) | below(1U << n);
  out.goal = below(1U << n) & below(1U << n);
  for (unsigned i = below(4); i > 1; --i) out.assumptions.push_back(below(1U << n));
  if (below(3) == 0) out.spec.initials.push_back(below(n));
  const unsigned groups = below(5);
  for (unsigned g = 0; g < groups; ++g)
    out.spec.group("group " + std::to_string(g),
                   below(2) == 0 ? model::FairnessKind::weak : model::FairnessKind::strong);
  for (unsigned i = below(20); i > 0; --i) {
    std::vector<unsigned> to{below(n)};
    const unsigned from = i < n ? i : below(n);
    const int group = static_cast<int>(below(groups + 1)) - 1;
    if (below(4) == 0) to.push_back(below(n));
    out.spec.arrow(from, to, group);
  }
  return out;
}

/// Sets of states as bits, no graph algorithm but "add what one step reaches until nothing is added".
class Naive {
 public:
  explicit Naive(const Sample& sample) : x_(sample), n_(sample.spec.states) {
    for (const auto& a : x_.spec.arrows)
      for (const unsigned to : a.to) reach_[a.from] |= 1U << to;
    const Mask all = (1U << n_) - 1;
    Mask initials = 0;
    for (const unsigned s : x_.spec.initials) initials |= 1U << s;
    reachable_ = closure(initials, all);
    owing_ = reachable_ & x_.trigger & ~x_.goal;
    outstanding_ = closure(owing_, all & ~x_.goal);
    measure(initials);
  }

  Mask owing() const { return owing_; }
  Mask outstanding() const { return outstanding_; }

  /// Fewest steps to a state of which a violating run of that kind may stay in the neighbourhood, if there is one.
  std::optional<unsigned> stem(const std::vector<std::size_t>& met, std::optional<std::size_t> failed) const {
    unsigned best = unreached;
    for (Mask set = 1; set < (1U << n_); ++set) {
      if ((set & ~outstanding_) != 0 || !fits(set, met, failed)) continue;
      for (unsigned s = 0; s < n_; ++s)
        if ((set >> s & 1) != 0) best = std::min(best, far_[1][s]);
    }
    if (best == unreached) return std::nullopt;
    return best;
  }

  /// Whether a run after a trigger, past the goal or not, meets these assumptions.
  bool meets(const std::vector<std::size_t>& met) const {
    const Mask after = closure(owing_, (1U << n_) - 1);
    for (Mask set = 1; set < (1U << n_); ++set)
      if ((set & ~after) == 0 && fits(set, met, std::nullopt)) return true;
    return false;
  }

 private:
  Mask closure(Mask from, Mask within) const {
    Mask out = from & within;
    for (Mask before = 0; before != out;) {
      before = out;
      for (unsigned s = 0; s < n_; ++s)
        if ((before >> s & 1) != 0) out |= reach_[s] & within;
    }
    return out;
  }

  /// Distances, with the goal outstanding or not.
  void measure(Mask initials) {
    for (auto& row : far_) row.fill(unreached);
    for (unsigned round = 0; round < 2 * n_ + 2; ++round) {
      for (unsigned s = 0; s < n_; ++s) {
        if ((initials >> s & 1) != 0) far_[0][s] = 0;
        if ((owing_ >> s & 1) != 0) far_[1][s] = std::min(far_[1][s], far_[0][s]);
        for (unsigned to = 0; to < n_; ++to) {
          if ((reach_[s] >> to & 1) == 0) continue;
          far_[0][to] = std::min(far_[0][to], far_[0][s] + 1);
          if ((x_.goal >> to & 1) == 0) far_[1][to] = std::min(far_[1][to], far_[1][s] + 1);
        }
      }
    }
  }

  /// Whether some run may visit exactly these states again and again, fairly.
  bool fits(Mask set, const std::vector<std::size_t>& met, std::optional<std::size_t> failed) const {
    for (const std::size_t i : met)
      if ((set & x_.assumptions[i]) == 0) return false;
    if (failed && (set & x_.assumptions[*failed]) != 0) return false;
    // In one state a run may stay without a step.
    for (unsigned s = 0; s < n_ && std::popcount(set) > 1; ++s)
      if ((set >> s & 1) != 0 && (closure(reach_[s] & set, set) != set)) return false;
    for (std::size_t g = 0; g < x_.spec.groups.size(); ++g) {
      Mask enabled = 0;
      bool taken = false;
      for (const auto& a : x_.spec.arrows) {
        if (a.group != static_cast<int>(g) || (set >> a.from & 1) == 0) continue;
        enabled |= 1U << a.from;
        for (const unsigned to : a.to) taken |= (set >> to & 1) != 0;
      }
      const bool weak = x_.spec.groups[g].kind == model::FairnessKind::weak;
      if (!taken && (weak ? enabled == set : enabled != 0)) return false;
    }
    return true;
  }

  const Sample& x_;
  unsigned n_;
  std::array<Mask, 8> reach_{};
  Mask reachable_ = 0;
  Mask owing_ = 0;
  Mask outstanding_ = 0;
  std::array<std::array<unsigned, 8>, 2> far_{};
};

using Which = std::vector<std::size_t>;

Which without(Which which, std::size_t i) {
  std::erase(which, i);
  return which;
}

/// How often each outcome was seen: a test that never sees one tests less than it says.
struct Seen {
  int violated = 0, ends = 0, holds = 0, vacuous = 0, assumed = 0, by_fairness = 0, failed = 0;
};

void agree(const Sample& x, Seen& seen) {
  const Naive naive(x);
  const auto results = test::decided(x.spec, std::vector{x.property()});
  RC_ASSERT(results.size() == 1 + x.assumptions.size());
  const check::PropertyResult& r = results[0];
  Which all;
  for (std::size_t i = 0; i < x.assumptions.size(); ++i) all.push_back(i);
  Which needed = all;
  if (const auto stem = naive.stem(all, std::nullopt)) {
    RC_ASSERT(r.verdict == Verdict::violated);
    RC_ASSERT(r.counterexample->confirmed);
    RC_ASSERT(*r.counterexample->loop_start == *stem);
    RC_ASSERT(r.assumes.empty());
    ++seen.violated;
    seen.ends += r.counterexample->loop_start == r.counterexample->steps.size() ? 1 : 0;
  } else {
    RC_ASSERT(r.verdict == Verdict::holds);
    needed.clear();
    for (const std::size_t i : all)
      if (std::find(r.assumes.begin(), r.assumes.end(), "arrows.A" + std::to_string(i)) != r.assumes.end())
        needed.push_back(i);
    RC_ASSERT(needed.size() == r.assumes.size());
    // Enough, and none of them can be left out.
    RC_ASSERT(!naive.stem(needed, std::nullopt));
    for (const std::size_t i : needed) RC_ASSERT(naive.stem(without(needed, i), std::nullopt).has_value());
    RC_ASSERT(r.vacuous == (naive.owing() == 0 || (!needed.empty() && !naive.meets(needed))));
    ++(r.vacuous ? seen.vacuous : seen.holds);
    seen.assumed += needed.empty() ? 0 : 1;
    if (!x.spec.groups.empty() && naive.outstanding() != 0) {
      Sample unfair = x;
      unfair.spec.groups.clear();
      for (auto& a : unfair.spec.arrows) a.group = model::no_fairness;
      seen.by_fairness += Naive(unfair).stem(needed, std::nullopt) ? 1 : 0;
    }
  }
  for (const std::size_t i : all) {
    const check::PropertyResult& a = results[1 + i];
    const bool rests = std::find(needed.begin(), needed.end(), i) != needed.end();
    const auto stem = naive.stem(without(rests ? needed : all, i), i);
    RC_ASSERT(a.verdict == (stem ? Verdict::violated : Verdict::holds));
    if (stem) {
      RC_ASSERT(a.counterexample->confirmed);
      RC_ASSERT(*a.counterexample->loop_start == *stem);
      ++seen.failed;
    } else {
      RC_ASSERT(a.vacuous == ((naive.outstanding() & ~x.assumptions[i]) == 0));
      // Where the property rests on it there is a run that shows it.
      RC_ASSERT(r.verdict == Verdict::violated || !rests);
    }
  }
}

}  // namespace

TEST_CASE("random graphs are decided as by trying every set of states") {
  Seen seen;
  const auto bytes = rc::gen::container<std::vector<int>>(140, rc::gen::inRange(0, 256));
  test::seeded(
      "liveness agrees with trying every set of states", [&] { agree(sample(*bytes), seen); }, 6000);
  std::cout << "violated " << seen.violated << " (ends " << seen.ends << "), holds " << seen.holds << " (assumed "
            << seen.assumed << ", by fairness " << seen.by_fairness << "), vacuous " << seen.vacuous
            << ", failed assumptions " << seen.failed << "\n";
  for (const int n : {seen.violated, seen.ends, seen.holds, seen.vacuous, seen.assumed, seen.by_fairness, seen.failed})
    CHECK(n >= 50);
}
