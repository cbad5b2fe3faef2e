#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""The table in README.md is what `iomc cost --headlines` prints. usage: headlines_reader.py IOMC README [--update]"""
import os
import pathlib
import subprocess
import sys

program, readme = sys.argv[1], pathlib.Path(sys.argv[2])
BEGIN, END = "<!-- iomc cost --headlines -->\n```\n", "```\n<!-- end -->\n"

made = [subprocess.run([program, "cost", "--headlines"], capture_output=True, text=True, check=True,
                       env=os.environ | {"COLUMNS": "100"}).stdout for _ in range(2)]
assert made[0] == made[1], "two runs differ"
text = readme.read_text()
before, _, rest = text.partition(BEGIN)
shown, _, after = rest.partition(END)
assert rest and after, f"{readme} has no place for the table"
if "--update" in sys.argv:
    readme.write_text(before + BEGIN + made[0] + END + after)
elif shown != made[0]:
    for line in sorted(set(made[0].splitlines()) ^ set(shown.splitlines())):
        print(("+ " if line in made[0].splitlines() else "- ") + line)
    sys.exit(f"{readme.name} is not what the program prints; run this again with --update")

# What must never be fitted to is left out, and its error is printed.
rows = [line for line in made[0].splitlines() if line.startswith(("iova ", "vfio ", "vmd "))]
for part in ("8 drives on 3 ports", "posted-MSI series, not posted, 2", "posted-MSI series, not posted, 4",
             "posted-MSI series, not posted, 8", "moderation series, off"):
    found = [row for row in rows if part in row]
    assert len(found) == 1 and found[0].endswith("left out") and "%" in found[0], part
assert sum(row.endswith("fitted to it") for row in rows) <= 4, "more figures are fitted to than the README says"
print("generated")
