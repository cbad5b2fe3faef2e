#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""The prompt, from a script and from a terminal. usage: prompt_reader.py IOMC"""

import os
import pty
import re
import select
import signal
import subprocess
import sys
import tempfile

program = sys.argv[1]
failures = []


def check(condition, what, output=""):
    if not condition:
        failures.append(f"{what}\n{output}")


def script(lines, arguments=(), status=0):
    """Runs a script; its stdout and stderr."""
    done = subprocess.run([program, *arguments], input="".join(line + "\n" for line in lines), text=True,
                          capture_output=True, timeout=300)
    check(done.returncode == status, f"script {lines}: status {done.returncode}, expected {status}",
          done.stdout + done.stderr)
    return done.stdout, done.stderr


class Terminal:
    """A session at a pseudo terminal."""

    def __init__(self, home):
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            environment = {"TERM": "dumb", "HOME": home, "PATH": os.environ["PATH"]}
            os.execve(program, [program], environment)
        self.text = ""

    def send(self, text):
        os.write(self.fd, text.encode())

    def until(self, pattern, what):
        """Reads on until the text since the last call has `pattern`."""
        got = ""
        while not re.search(pattern, got):
            ready, _, _ = select.select([self.fd], [], [], 120)
            try:
                piece = os.read(self.fd, 65536).decode(errors="replace") if ready else ""
            except OSError:
                piece = ""
            if not piece:
                check(False, f"terminal: {what}: '{pattern}' did not come", got)
                return got
            got += piece
        self.text += got
        return got

    def end(self):
        self.send("quit\n")
        _, status = os.waitpid(self.pid, 0)
        return os.waitstatus_to_exitcode(status)


# What is loaded goes into the program's commands, and into the words that repeat them.
out, _ = script(["load iova 6.1", "check P3 --config aperture"], status=1)
check("violated     iova.P3" in out, "check of a property by its short name", out)
whole = subprocess.run([program, "check", "iova", "--kernel", "6.1", "--config", "aperture", "--property", "iova.P3"],
                       text=True, capture_output=True, timeout=300).stdout
check(out.endswith(whole), "check says what the command line says", out + "-- instead of --\n" + whole)
out, _ = script(["load iova 6.1", "set retry_pfn_wraps=false # the cure", "config aperture", "settings", "check P3"])
check("iova --kernel 6.1 --set retry_pfn_wraps=false --config aperture\n" in out, "settings", out)
out, _ = script(["load iova 6.1", "set retry_pfn_wraps=false", "unset retry_pfn_wraps", "facts retry_pfn"])
check("retry_pfn_wraps = true" in out, "unset", out)

# A run step by step, forwards and back, and to the end of a counterexample.
out, _ = script(["load iova 6.1", "config aperture", "start", "enabled", "step 1", "step", "back 2", "forward", "state tree"])
check("[map]" in out and "path 0/1/0" in out and out.count("path 0\n") == 2 and "path 0/1\n" in out, "a run", out)
check("tree = empty" in out, "state", out)
out, _ = script(["load iova 6.1", "goto P3"])
check("violated here: iova.P3" in out and "path 0/1/0" in out, "goto PROPERTY", out)
out, _ = script(["load iova 6.1", "config aperture", "goto 0/1/0", "run"])
check(out.count("violated here: iova.P3") == 2, "goto PATH", out)

# What is wrong is said in a line; the session goes on, and the status remembers.
out, err = script(["check P3", "load iova", "load nothing", "set colour=blue", "step 7", "step x", "goto 0/99", "back",
                   "forward", "config nowhere", "unset bins", "frobnicate", "set 'bins", "load iova 6.12", "list kernels"],
                  status=129)
check(len(err.strip().split("\n")) == 12 and "internal" not in err, "one line for each wrong command", err)
check("debian-6.12" in out, "the session goes on", out)
_, err = script([], arguments=["explore", "--kernel", "6.12"], status=129)
check("need a SPEC" in err, "explore without SPEC", err)
out, _ = script(["help", "help check", "help step"])
check("Ctrl-C" in out and "--property" in out and "step [N]" in out, "help", out)

# A terminal: completion, history, and an interrupt that stops the query and not the program.
with tempfile.TemporaryDirectory() as home:
    t = Terminal(home)
    t.until("iomc> ", "the prompt")
    t.send("loa\tiov\t6.1\n")
    t.until(r"iova --kernel 6\.1\r\n(.|\n)*iomc> ", "completion of words")
    t.send("conf\t apert\t\n")
    t.until("iomc> ", "completion of a configuration")
    t.send("check P3\n")
    t.until(r"1 violated(.|\n)*iomc> ", "a check")
    t.send("load iova 6.12\n")
    t.until(r"--kernel 6\.12\r\n(.|\n)*iomc> ", "load")
    t.send("check --config strict --progress\n")
    t.until(r"strict", "progress")
    os.kill(t.pid, signal.SIGINT)
    t.until(r"inconclusive(.|\n)*iomc> ", "the partial result of an interrupted check")
    t.send("half a line")
    t.until("half a line", "echo")
    t.send("\x03")
    t.until("iomc> ", "Ctrl-C gives up a line")
    t.send("settings\n")
    t.until(r"--kernel 6\.12\r\n(.|\n)*iomc> ", "the session after two interrupts")
    left = t.end()
    check(left == 1, f"a violation is remembered: status {left}", t.text)
    t = Terminal(home)
    t.until("iomc> ", "the prompt")
    t.send("\x10\x10\n")
    t.until(r"nothing is loaded(.|\n)*iomc> ", "history of the last session")
    left = t.end()
    check(left == 129, f"the last session's command, again: status {left}")

for failure in failures:
    print(f"FAILED: {failure}\n")
sys.exit(1 if failures else 0)
