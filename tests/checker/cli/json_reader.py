#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Validates what the program writes as JSON against docs/result.schema.json, with Debian's python3-jsonschema."""
import copy
import json
import pathlib
import subprocess
import sys

import jsonschema

program, docs = sys.argv[1:3]
schema = json.loads((pathlib.Path(docs) / "result.schema.json").read_text())
jsonschema.Draft7Validator.check_schema(schema)
validator = jsonschema.Draft7Validator(schema)


def run(*arguments, given=None):
    done = subprocess.run([program, *arguments], input=given, capture_output=True, text=True, check=False)
    assert not done.stderr, done.stderr
    return done.stdout


def valid(text):
    document = json.loads(text)
    validator.validate(document)
    return document


violated = valid(run("check", "fake", "--format", "json", "--set", "cpus=2"))
valid(run("check", "fake", "--format", "json", "--stats"))
valid(run("check", "fake", "--format", "json", "--kernel", "6.1"))
inconclusive = valid(run("check", "fake", "--format", "json", "--kernel", "6.1", "--state-limit", "5"))
lassos = valid((pathlib.Path(docs).parent / "tests/checker/report/golden/liveness.json").read_text())
assert lassos["results"][0]["counterexample"]["loop_start"] == 3
valid(run("list", "properties", "--format", "json"))
valid(run("explain", "flush", "--format", "json"))
valid(run("replay", "-", "--format", "json", given=json.dumps(violated)))
valid(run("replay", "fake/P2", "0/1/2/3/4/5/6/7", "--format", "json"))

assert violated["verdict"] == "violated" and inconclusive["verdict"] == "inconclusive"
assert violated["results"][1]["counterexample"]["path"] == "0/2/0/5/1/3/0"
assert violated["configurations"][0]["coverage"]["iova_rcache_insert.depot"] == 0
assert violated["never_fired"] == ["iova_rcache_insert.depot"]
assert "stats" not in violated

# The schema must also be able to say no.
for spoil in (
        lambda d: d.pop("facts"),
        lambda d: d.update(schema="iomc.result/2"),
        lambda d: d.update(surprise=1),
        lambda d: d["results"][0].update(verdict="probably"),
        lambda d: d["results"][1].pop("counterexample"),
        lambda d: d["results"][1]["counterexample"].update(path="0//1"),
        lambda d: d["results"][1]["counterexample"]["steps"][0].pop("cpu"),
        lambda d: d["facts"].update(flush=True)):
    spoilt = copy.deepcopy(violated)
    spoil(spoilt)
    assert not validator.is_valid(spoilt), "the schema accepts a spoilt report"
for wrong in ("0/loop", "loop/1", "0/1/end/2", "0/loop/1/end", "0/loop/1/loop/2"):
    spoilt = copy.deepcopy(lassos)
    spoilt["results"][0]["counterexample"]["path"] = wrong
    assert not validator.is_valid(spoilt), f"the schema accepts the path {wrong}"
print("valid")
