// SPDX-License-Identifier: GPL-2.0-or-later
// The historical bugs of INTx, of virqfds and of lines that handlers share, and the findings on 6.12: one row each. A
// row names the command that finds the violation on an affected kernel and the command that finds none on a fixed one;
// the test runs both.
#include <array>

#include "tests/bugs/rows.hpp"

namespace {

using namespace iomc::bugs;

constexpr std::array rows = {
    Row{"B5", "18c198c96a81: a trigger that was taken away is signalled by ioctl", "vfio.S4",
        "--kernel 6.1 --config intx-loopback", "--kernel 6.12 --config intx-loopback", 16},
    Row{"B5", "...or by the work of an unmask eventfd", "vfio.S4", "--kernel 6.1 --config intx-triggers",
        "--kernel debian-6.1 --config intx-triggers", 39},
    Row{"B5", "...which signals the old one after it was taken away", "vfio.S18",
        "--kernel 6.1 --config intx-triggers", "--kernel 6.12 --config intx-triggers", 40},
    Row{"B6", "810cd4bb5345: a configuration write meets a change of mode", "vfio.S6",
        "--kernel 6.1 --config intx-mode", "--kernel debian-6.1 --config intx-mode", 16},
    Row{"B6", "...and masks by a ctx that is gone", "vfio.S5", "--kernel 6.1 --config intx-mode",
        "--kernel debian-6.1 --config intx-mode", 18},
    Row{"B6", "...also where the ctx lives as long as the handler", "vfio.S6",
        "--kernel 6.12 --config intx-mode --set intx_config_igate=false", "--kernel 6.12 --config intx-mode", 18},
    Row{"B7", "fe9a7082684e: a line is requested enabled, then disabled once more than it is masked", "vfio.S7",
        "--kernel 6.1 --config intx-legacy-triggers",
        "--kernel 6.1 --config intx-legacy-triggers --set intx_no_autoen=true", 39},
    Row{"B7", "...and an unmask leaves it disabled", "vfio.L3", "--kernel 6.1 --config intx-legacy-triggers",
        "--kernel 6.1 --config intx-legacy-triggers --set intx_no_autoen=true", 47},
    Row{"B8", "CVE-2024-38632: a failed enable loses the name", "vfio.R1",
        "--kernel 6.12 --config intx-enable --set intx_frees_name=false", "--kernel 6.12 --config intx-enable", 4},
    Row{"B12", "9dbdfd23b763: an interrupt comes between request_irq and the trigger", "vfio.S4",
        "--kernel 4.14 --config intx-enable --set intx_set_before_request=false",
        "--kernel 4.14 --config intx-enable", 17},
    Row{"B13", "b68e7fa879cd: close and ioctl both queue the shutdown of a virqfd", "vfio.S8",
        "--kernel 4.14 --config virqfd-close --set virqfd_locked=false", "--kernel 4.14 --config virqfd-close", 21},
    Row{"B13", "...which is used after it was freed", "vfio.S5",
        "--kernel 4.14 --config virqfd-close --set virqfd_locked=false", "--kernel 4.14 --config virqfd-close", 26},
    Row{"B14", "b1b397aeef81: the wake function of a virqfd leaves the count", "vfio.S9",
        "--kernel 4.14 --config virqfd", "--kernel 6.1 --config virqfd", 27},
    Row{"B16", "8b9f128947dd: a lazily disabled line swallows an assertion", "vfio.L2",
        "--kernel 6.12 --config intx-once", "--kernel debian-6.12 --config intx-once", 31},
    Row{"B20", "519cc8652b3a: a thread of the line frees a sharer, and waits for itself", "vfio.D3",
        "--kernel 4.14 --config remover", "--kernel 6.1 --config remover", 19},
    Row{"B20", "...with what holds the mutex of the line for ever", "vfio.L5", "--kernel 4.14-rt --config remover",
        "--kernel 6.1-rt --config remover", 30},
    Row{"B20", "e2c12739ccf7: free_irq waits for all threads again", "vfio.D3", "--kernel 6.12 --config remover",
        "--kernel 6.12 --config remover --set free_irq_wait=own_thread", 19},
    Row{"B23", "e2c12739ccf7: a nested handler that sleeps counts as a hard one", "vfio.L5",
        "--kernel 6.1 --config nested-disable", "--kernel 6.12 --config nested-disable", 14},
    Row{"B23", "...and where free_irq waits for its own thread only, it must count so", "vfio.S25",
        "--kernel 6.1 --config nested-free --set nested_threads_counted=true", "--kernel 6.12 --config nested-free",
        19},
    Row{"B32", "IRQF_ONESHOT on a primary handler keeps it in the hard interrupt", "vfio.S1",
        "--kernel 6.12-rt --config intx --set intx_handler_flags=ONESHOT", "--kernel 6.12-rt --config intx", 5},
    Row{"B33", "c37927a203fa: a threaded first sharer, a second one without a thread", "vfio.S14",
        "--kernel 6.1 --config oneshot-sharer", "--kernel 6.12 --config oneshot-sharer", 4},
    Row{"B33", "IRQF_NO_THREAD on a shared INTx: force-threaded sharers are refused", "vfio.S14",
        "--kernel 6.12-rt --config sharer-comes --set intx_handler_flags=NO_THREAD", "", 4},
    Row{"B38", "fc71f409b22c: another irq is enabled than was disabled", "vfio.S7",
        "--kernel 6.12 --config polled-queue", "--kernel 6.12 --config polled-queue --set nvme_poll_saves_irq=true",
        9},
    Row{"B42", "05692d7005a3: VFIO_DEVICE_SET_IRQS accepts what does not exist", "vfio.S15",
        "--kernel 6.12 --config set-irqs --set set_irqs_validated=false", "--kernel 6.12 --config set-irqs", 3},
    Row{"N6", "a line without DisINTx is disabled by the user's mask and by the handler", "vfio.S7",
        "--kernel debian-6.12 --config intx-legacy-mask",
        "--kernel debian-6.12 --config intx-legacy-mask --set intx_handler_tests_mask=true", 20},
    Row{"N6", "...and stays disabled when the user unmasks", "vfio.L3",
        "--kernel debian-6.12 --config intx-legacy-mask",
        "--kernel debian-6.12 --config intx-legacy-mask --set intx_handler_tests_mask=true", 26},
    Row{"N6", "...also where the guest masks by DisINTx", "vfio.L3",
        "--kernel debian-6.12 --config intx-legacy-config",
        "--kernel debian-6.12 --config intx-legacy-config --set intx_handler_tests_mask=true", 23},
    Row{"N7", "an interrupt while there is no trigger masks INTx, and the next trigger is not told", "vfio.L2",
        "--kernel debian-6.12 --config intx-trigger-gap", "--kernel 6.1 --config intx-trigger-gap", 25},
    Row{"N8", "an unmask opens a ONESHOT line under its thread", "vfio.S16",
        "--kernel debian-6.12-rt --config intx-legacy", "--kernel debian-6.12-rt --config intx", 31},
    Row{"N9", "messages that come while the thread is starved end in a disabled line", "vfio.S24",
        "--kernel debian-6.12-rt --config starved-line", "--kernel debian-6.12-rt --config busy-line", 24},
};

TEST_CASE("every historical bug is found on an affected kernel and on no fixed one") {
  for (const Row& row : rows) check_row(iomc::check::find_system("vfio"), row);
}

}  // namespace
