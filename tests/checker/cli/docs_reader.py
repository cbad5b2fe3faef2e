#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""The documents say what the program does: every option is in the man page, every key of the JSON in formats.md, and
the completion offers what the help text has."""
import json
import pathlib
import re
import subprocess
import sys

program, docs = sys.argv[1], pathlib.Path(sys.argv[2])
manual = (docs / "iomc.1").read_text().replace("\\-", "-")
formats = (docs / "formats.md").read_text()


def run(*arguments):
    return subprocess.run([program, *arguments], capture_output=True, text=True, check=True).stdout


commands = re.findall(r"^  ([a-z]+) ", run("--help").split("commands:")[1].split("\n\n")[0], re.M)
assert "check" in commands, commands
for command in commands:
    assert re.search(rf"^\.B {command}$", manual, re.M), f"{command} is not in the man page"
    for option in re.findall(r"--[a-z-]+", "\n".join(re.findall(r"^  -.*", run(command, "--help"), re.M))):
        assert re.search(rf"{option}\b", manual), f"{option} of {command} is not in the man page"

shown = subprocess.run(["groff", "-man", "-Tascii", "-ww", "-z", str(docs / "iomc.1")], capture_output=True, text=True,
                       check=True)
assert not shown.stderr, shown.stderr


def keys(node):
    if isinstance(node, dict):
        declared = node.get("properties", {})
        if not isinstance(declared.get("type"), str):  # else it is itself the schema of a key of that name
            for key, value in declared.items():
                yield key
                yield from keys(value)
        for value in node.values():
            yield from keys(value)


for schema in ("result.schema.json", "review.schema.json", "table.schema.json", "answer.schema.json"):
    for key in sorted(set(keys(json.loads((docs / schema).read_text())))):
        assert f"`{key}" in formats, f"{key} of {schema} is not in formats.md"

completion = docs.parent / "checker" / "cli" / "completion.bash"


def complete(*words):
    script = 'source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _iomc; printf "%s\\n" "${COMPREPLY[@]}"'
    done = subprocess.run(["bash", "-c", script, "bash", str(completion), program, *words], capture_output=True,
                          text=True, check=True)
    assert not done.stderr, done.stderr
    return done.stdout.split()


assert complete("ch") == ["check"]
assert set(complete("")) >= set(commands)
assert complete("check", "") == ["fake"]
assert complete("check", "fake", "--kernel", "6.") == ["6.1", "6.12"]
assert complete("check", "fake", "--property", "fake.P2") == ["fake.P2"]
assert complete("check", "fake", "--for") == ["--format"]
assert complete("check", "fake", "--out") == ["--output"]
print("documented")
