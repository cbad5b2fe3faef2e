// SPDX-License-Identifier: GPL-2.0-or-later
#include "checker/cli/interrupt.hpp"

#include <csignal>

namespace iomc::cli {

namespace {

std::atomic<bool> flag = false;
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler may only touch lock-free atomics");

volatile std::sig_atomic_t outlives = 0;

void on_signal(int signal) {
  flag.store(true, std::memory_order_relaxed);
  if (outlives != 0 && signal == SIGINT) return;
  // The second signal, of either kind, ends the program at once.
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
}

}  // namespace

void handle_signals() {
  struct sigaction action = {};
  action.sa_handler = on_signal;
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  std::signal(SIGPIPE, SIG_IGN);
}

const std::atomic<bool>& interrupted() { return flag; }

void outlive_interrupts(bool end_reads) {
  outlives = 1;
  struct sigaction action = {};
  action.sa_handler = on_signal;
  action.sa_flags = end_reads ? 0 : SA_RESTART;
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, nullptr);
  std::signal(SIGTERM, SIG_DFL);
}

void clear_interrupt() { flag.store(false, std::memory_order_relaxed); }

}  // namespace iomc::cli
