#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Every iova counterexample that iomc reports on 6.1 and 6.12, replayed on the kernel's own code.

usage: replays.py IOMC [--findings FILE | --check FILE]

Finds each counterexample with `iomc check`, follows it with `iomc replay - --tree` on the source package of Debian, and
prints the table of docs/findings.md. --findings writes it between its two markers; --check compares it with what stands
there. Status 1 if a verdict is not the expected one, or the table is another. IOMC_LINUX_SOURCE_DIR: where the packages
are (/usr/src).
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

FILES = ["drivers/iommu/dma-iommu.c", "drivers/iommu/dma-iommu.h", "drivers/iommu/iova.c", "include/linux/iova.h",
         "include/linux/rbtree.h", "include/linux/rbtree_augmented.h", "include/linux/rbtree_types.h", "lib/rbtree.c"]
BEGIN, END = "<!-- replays: begin -->", "<!-- replays: end -->"

BOTH = [
    ("N1", "P9", "limits"), ("N1", "P10", "limits"), ("N2", "P4", "init"), ("N3", "P1", "init"),
    ("L1", "P5", "lazy"), ("L1", "P19", "lazy"), ("L1", "P5", "serialised"), ("L3", "P1", "reserve"),
    ("L5", "P12", "hotplug"), ("L8", "P13", "local"), ("L9", "P13a", "strict"), ("L11", "P1", "late-device"),
    ("L12", "P1", "wrong-unmap"), ("L12", "P3a", "wrong-unmap"), ("L12", "P8", "wrong-unmap"),
    ("B31", "P23", "broken-device"),
]
# Finding, property, configuration, facts, tree, expected. Where the facts are not the tree's, the code must refute.
ROWS = [(i, p, c, "debian-6.1", "6.1", "confirmed", []) for i, p, c in BOTH]
ROWS += [(i, p, c, "debian-6.12", "6.12", "confirmed", []) for i, p, c in BOTH]
ROWS += [
    ("B32", "P27", "stash", "debian-6.1", "6.1", "confirmed", []),
    ("L1", "P5", "single-queue", "debian-6.12", "6.12", "confirmed", ["fq_size=4", "max_ranges=4"]),
    ("L6", "P25", "strict", "debian-6.12", "6.12", "confirmed", []),
    ("L7", "P28", "irq", "debian-6.12", "6.12", "confirmed", []),
    ("B16", "P3", "aperture", "6.1", "6.1", "refuted", []),
    ("P20", "P20", "tree", "6.1", "6.1", "refuted", ["start_pfn=0", "top=3"]),
    ("B12", "P10", "tree", "5.11", "6.12", "refuted", []),
    ("B15", "P12", "depot-flush", "5.9", "6.12", "refuted", []),
    ("L4", "P31", "intel-table", "4.13", "6.12", "not replayable", []),
]


def unpack(version, into):
    package = pathlib.Path(os.environ.get("IOMC_LINUX_SOURCE_DIR", "/usr/src")) / f"linux-source-{version}.tar.xz"
    subprocess.run(["tar", "--extract", "--use-compress-program=xz -T0", f"--file={package}", f"--directory={into}",
                    "--strip-components=1", "--occurrence=1", "--",
                    *[f"linux-source-{version}/{f}" for f in FILES]], check=True)


def replay(iomc, row, tree):
    _, prop, config, kernel, _, _, sets = row
    words = ["check", "iova", "--kernel", kernel, "--config", config, "--property", f"iova.{prop}", "--format", "json"]
    for s in sets:
        words += ["--set", s]
    found = subprocess.run([iomc, *words], capture_output=True, text=True, check=False)
    if found.returncode != 1:
        return "not found", f"iomc {' '.join(words)} ends with {found.returncode}", 0
    run = subprocess.run([iomc, "replay", "-", "--tree", tree, "--format", "json"], input=found.stdout,
                         capture_output=True, text=True, check=False)
    if run.returncode not in (0, 1, 125):
        return "failed", run.stderr.strip(), 0
    answer = json.loads(run.stdout)["replays"][0]
    return answer["outcome"], answer["reason"], len(answer["counterexample"]["steps"])


def main():
    iomc = sys.argv[1]
    lines = ["| finding | property | configuration | facts | steps | on the code of | verdict |", "|---|---|---|---|---|---|---|"]
    wrong = []
    with tempfile.TemporaryDirectory() as temporary:
        trees = {}
        for version in ("6.1", "6.12"):
            trees[version] = pathlib.Path(temporary) / version
            trees[version].mkdir()
            unpack(version, trees[version])
        for row in ROWS:
            finding, prop, config, kernel, version, expected, sets = row
            outcome, reason, steps = replay(iomc, row, str(trees[version]))
            if outcome != expected:
                wrong.append(f"{finding}, iova.{prop}, {config}, {kernel} on {version}: {outcome}, expected {expected}: {reason}")
            named = config + "".join(f" --set {s}" for s in sets)
            verdict = outcome if outcome == "confirmed" else f"{outcome}: {reason}"
            lines.append(f"| {finding} | iova.{prop} | {named} | {kernel} | {steps} | linux-source-{version} | {verdict} |")
    table = "\n".join(lines)
    if len(sys.argv) == 4:
        page = pathlib.Path(sys.argv[3])
        text = page.read_text()
        before, rest = text.split(BEGIN)
        old, after = rest.split(END)
        if sys.argv[2] == "--findings":
            page.write_text(f"{before}{BEGIN}\n{table}\n{END}{after}")
        elif old.strip() != table:
            wrong.append(f"{page.name}: another table stands there; replays.py IOMC --findings FILE writes it")
    if len(sys.argv) != 4 or wrong:
        print(table)
    for line in wrong:
        print("replays:", line, file=sys.stderr)
    return 1 if wrong else 0


sys.exit(main())
