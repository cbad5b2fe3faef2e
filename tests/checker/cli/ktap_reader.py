#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Reads what the program writes as KTAP with the kernel's own parser, tools/testing/kunit/kunit_parser.py, taken from
the Debian package linux-source-6.12 (directory: IOMC_LINUX_SOURCE_DIR, else /usr/src)."""
import contextlib
import io
import os
import subprocess
import sys
import tempfile

program = sys.argv[1]
tarball = os.path.join(os.environ.get("IOMC_LINUX_SOURCE_DIR", "/usr/src"), "linux-source-6.12.tar.xz")
if not os.path.exists(tarball):
    sys.exit(f"{tarball}: not there; install linux-source-6.12 or set IOMC_LINUX_SOURCE_DIR")


def ktap(*arguments):
    done = subprocess.run([program, "check", "fake", "--format", "ktap", *arguments], capture_output=True, text=True,
                          check=False)
    assert not done.stderr, done.stderr
    return done.stdout


def names(test):
    return {t.name: t.status.name for suite in test.subtests for t in suite.subtests}


with tempfile.TemporaryDirectory() as directory:
    top = "linux-source-6.12/tools/testing/kunit"
    files = [f"{top}/kunit_parser.py", f"{top}/kunit_printer.py"]
    subprocess.run(["tar", "-xJf", tarball, "-C", directory, "--occurrence=1", *files], check=True)
    sys.path.insert(0, os.path.join(directory, top))
    sys.dont_write_bytecode = True
    import kunit_parser

    def parse(text):
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            kunit_parser.stdout._output = printed  # the parser's printer keeps the stream it was made with
            test = kunit_parser.parse_run_tests(text.splitlines())
        c = test.counts
        return test, (c.passed, c.failed, c.crashed, c.skipped, c.errors), printed.getvalue()

    test, counts, _ = parse(ktap("--kernel", "6.1"))
    assert counts == (4, 0, 0, 0, 0), counts
    assert test.status.name == "SUCCESS" and test.subtests[0].name == "fake"

    test, counts, shown = parse(ktap("--kernel", "6.12"))
    assert counts == (3, 1, 0, 0, 0), counts
    assert test.status.name == "FAILURE"
    assert names(test)["fake.P2"] == "FAILURE" and names(test)["fake.P3"] == "SUCCESS", names(test)
    assert "What went wrong: task A asked" in shown and "Replay: iomc replay fake/fake.P2" in shown, shown

    # Inconclusive is never passed and never skipped, and the whole is no success.
    test, counts, shown = parse(ktap("--kernel", "6.1", "--state-limit", "5"))
    assert counts == (0, 4, 0, 0, 0), counts
    assert test.status.name == "FAILURE" and not test.ok_status()
    assert "inconclusive: limit of 5 states reached" in shown, shown
print("read")
