// SPDX-License-Identifier: GPL-2.0-or-later
// Lock kinds, and what each is on a kernel with and without PREEMPT_RT (Documentation/locking/locktypes.rst).
#pragma once

#include <cstdint>

namespace iomc::model {

/// How the kernel was built and booted.
enum class Preemption : std::uint8_t {
  none,       ///< interrupt handlers run in hard interrupts
  rt,         ///< CONFIG_PREEMPT_RT: handlers in threads, spinlock_t sleeps
  threadirqs  ///< the boot option: handlers in threads, spinlock_t spins
};

enum class LockKind : std::uint8_t {
  raw_spinlock,
  spinlock,
  rwlock,
  local_lock,
  mutex,
  rwsem,
  rcu,      ///< a read side; never waited for by readers
  srcu,     ///< likewise
  seqcount  ///< a write side; readers retry, and on RT push the writer through its spinlock_t
};

/// lockdep's wait types, least first.
enum class WaitType : std::uint8_t { free, spin, config, sleep };

constexpr WaitType wait_type(LockKind kind) {
  switch (kind) {
    case LockKind::rcu:
    case LockKind::srcu:
    case LockKind::seqcount: return WaitType::free;
    case LockKind::raw_spinlock: return WaitType::spin;
    case LockKind::spinlock:
    case LockKind::rwlock:
    case LockKind::local_lock: return WaitType::config;
    case LockKind::mutex:
    case LockKind::rwsem: break;
  }
  return WaitType::sleep;
}

/// Waiting for such a lock calls the scheduler.
constexpr bool sleeps(LockKind kind, Preemption p) {
  const WaitType t = wait_type(kind);
  return t == WaitType::sleep || (t == WaitType::config && p == Preemption::rt);
}

/// A waiter lends its priority to the owner. Readers of an rwlock or rwsem are never lent one.
constexpr bool inherits_priority(LockKind kind, Preemption p) {
  return p == Preemption::rt && wait_type(kind) >= WaitType::config;
}

/// How a lock is asked for. `irq` is the _irq or _irqsave form: on RT it leaves interrupts on for a lock that sleeps.
struct LockMode {
  bool irq = false;
  bool bh = false;
  bool shared = false;
};
inline constexpr LockMode plain{};
inline constexpr LockMode irqsave{true, false, false};
inline constexpr LockMode bh_off{false, true, false};
inline constexpr LockMode shared{false, false, true};

}  // namespace iomc::model
