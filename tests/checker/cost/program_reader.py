#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""`iomc cost` as its users meet it: bad input, the same bytes twice, and what the examples show.
usage: program_reader.py IOMC SOURCE"""
import json
import pathlib
import subprocess
import sys
import tempfile

program, source = sys.argv[1], pathlib.Path(sys.argv[2])


def run(*arguments):
    return subprocess.run([program, "cost", *arguments], capture_output=True, text=True)


def refuse(says, *arguments):
    done = run(*arguments)
    assert done.returncode == 129 and not done.stdout and done.stderr.count("\n") == 1, (arguments, done)
    assert says in done.stderr, (says, done.stderr)


refuse("SPEC is missing")
refuse("no such size; iova has: cpus, live, in_flight", "iova", "--sweep", "cpu=1..2")
refuse("must be a number from 1 to 256", "iova", "--sweep", "cpus=0..2")
refuse("is swept already", "iova", "--sweep", "cpus=1..2", "--sweep", "cpus=3")
refuse("give one value", "iova", "--set", "cpus=1..2")
refuse("there is no profile 'x'; there are: arm64-128", "iova", "--profile", "x")
refuse("a plot needs --sweep", "vmd", "--format", "svg")
refuse("text or json only", "iova", "--steady", "--format", "csv")
refuse("no such event (iomc list events)", "vfio", "--bounds", "alone", "--event", "luck")
refuse("only vmd has hypotheses", "iova", "--hypothesis", "port-rate")
refuse("no such hypothesis; there are: cpu-bound, port-rate", "vmd", "--hypothesis", "x")
refuse("leave SPEC out", "iova", "--headlines")
refuse("only vfio has it", "iova", "--response", "x.json")
refuse("x.json: cannot be read", "vfio", "--response", "x.json")
with tempfile.TemporaryDirectory() as folder:
    broken = pathlib.Path(folder) / "broken.json"
    broken.write_text('{\n  "schema": "iomc.profile/1",\n  "name": 7\n}\n')
    refuse("broken.json:3: \"name\" must be a text", "iova", "--profile", str(broken))

for arguments in (("iova", "--kernel", "4.13", "--sweep", "cpus=1..64"), ("vmd", "--sweep", "drives=1,4", "--steady"),
                  ("vfio", "--kernel", "6.12-rt", "--bounds", "alone", "--event", "wakeup")):
    first, second = run(*arguments), run(*arguments)
    assert first.returncode == 0 and first.stdout == second.stdout, (arguments, first)

laws = json.loads(run("iova", "--kernel", "4.13", "--sweep", "cpus=1..128", "--format", "json").stdout)
assert laws["schema"] == "iomc.table/1" and len(laws["rows"]) == 128
assert any(note.endswith("cpu_cache_lock: 771 = 6P + 3") for note in laws["notes"]), laws["notes"]

tuned = run("vfio", "--kernel", "6.12-rt", "--response", str(source / "examples/response/tuned.json")).stdout
assert "L_IF = max(D_ST, D_POID) + D_PAIE + D_PSD = max(22.5, 19.3) + 0 + 19.7 us = 42.2 us." in tuned, tuned
assert "diverges" not in tuned
hog = run("vfio", "--kernel", "6.12-rt", "--response", str(source / "examples/response/spinning-vcpu.json")).stdout
assert hog.count("diverges: task vcpu0") == 6, hog
print("as documented")
