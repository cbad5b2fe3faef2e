#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Reads what the program writes as JUnit XML with xmllint and with Python's parser, and counts as a CI server does."""
import subprocess
import sys
import xml.etree.ElementTree

program = sys.argv[1]


def counts(*arguments):
    done = subprocess.run([program, "check", "fake", "--format", "junit", *arguments], capture_output=True, text=True,
                          check=False)
    assert not done.stderr, done.stderr
    subprocess.run(["xmllint", "--noout", "-"], input=done.stdout, text=True, check=True)
    root = xml.etree.ElementTree.fromstring(done.stdout)
    suite = root.find("testsuite")
    cases = suite.findall("testcase")
    found = (len(cases), *(sum(c.find(kind) is not None for c in cases) for kind in ("failure", "error")))
    for node in (root, suite):
        assert found == tuple(int(node.get(k)) for k in ("tests", "failures", "errors")), found
    assert suite.get("skipped") == "0"
    assert all(c.get("classname") == "iomc.fake" for c in cases)
    return found, suite


assert counts("--kernel", "6.1")[0] == (4, 0, 0)
found, violated = counts("--kernel", "6.12")
assert found == (4, 1, 0)
failure = violated.find("testcase[@name='fake.P2']/failure")
assert failure.get("message").startswith("task A asked for 2 pages")
assert "CPU0 task A" in failure.text and "Replay: iomc replay fake/fake.P2" in failure.text
assert counts("--kernel", "6.1", "--state-limit", "5")[0] == (4, 0, 4)
print("read")
