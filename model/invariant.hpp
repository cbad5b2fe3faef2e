// SPDX-License-Identifier: GPL-2.0-or-later
// Invariants: what holds in every reachable state and is declared beside the properties, so that an unbounded proof of
// one of these has something to rest on. A template over the domain as everything is: one text, read by both engines.
#pragma once

namespace iomc::model {

/// One part of an inductive invariant of specification S. It is never taken for granted: a proof that uses it proves it
/// too.
template <class S>
struct Invariant {
  const char* name;  ///< one line, kernel terms; the subject is a state
  bool (*holds_in)(const S&, const typename S::State&);
  bool guides = false;  ///< simple, and rules out many paths: assumed already while they are enumerated
};

}  // namespace iomc::model
