#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Validates the JSON of iomc review against docs/review.schema.json, and reads its JUnit XML as a CI server does."""
import copy
import json
import pathlib
import subprocess
import sys
import xml.etree.ElementTree

import jsonschema

program, docs = sys.argv[1], pathlib.Path(sys.argv[2])
schema, results = (json.loads((docs / name).read_text()) for name in ("review.schema.json", "result.schema.json"))
jsonschema.Draft7Validator.check_schema(schema)
# The one schema refers to the other by its name: both lie in one place that does not exist.
resolver = jsonschema.RefResolver("file:///iomc/", schema, store={"file:///iomc/result.schema.json": results})
validator = jsonschema.Draft7Validator(schema, resolver=resolver)
CHANGE = ("review", "--kernel", "6.12", "--set", "node_zeroed=false", "--config", "slab")
LIMITED = ("--property", "iova.P3", "--state-limit", "10")


def run(*arguments):
    done = subprocess.run([program, *CHANGE, *arguments], capture_output=True, text=True, check=False)
    assert not done.stderr, done.stderr
    return done


def valid(*arguments):
    document = json.loads(run("--format", "json", *arguments).stdout)
    validator.validate(document)
    return document


plain = valid()
assert plain["reviews"][0]["facts_changed"][0]["fact"] == "node_zeroed"
assert plain["verdict"] == "broken"
assert "stats" in valid("--stats")["reviews"][0]["explored"]["after"]
assert valid(*LIMITED)["verdict"] == "inconclusive"

# The schema must also be able to say no.
for spoil in (
        lambda d: d.pop("reviews"),
        lambda d: d.update(schema="iomc.review/2"),
        lambda d: d.update(verdict="holds"),
        lambda d: d["reviews"][0].pop("checked"),
        lambda d: d["reviews"][0]["properties"][0].update(change="better"),
        lambda d: d["reviews"][0]["properties"][0]["after"].pop("scope"),
        lambda d: d["reviews"][0]["facts_changed"][0].update(before=1)):
    spoilt = copy.deepcopy(plain)
    spoil(spoilt)
    assert not validator.is_valid(spoilt), "the schema accepts a spoilt report"

for limit in ((), LIMITED):
    done = run("--format", "junit", *limit)
    root = xml.etree.ElementTree.fromstring(done.stdout)
    cases = root.findall("testsuite/testcase")
    failures, errors = (sum(c.find(kind) is not None for c in cases) for kind in ("failure", "error"))
    assert (len(cases), failures, errors) == tuple(int(root.get(k)) for k in ("tests", "failures", "errors"))
    assert (failures > 0) == (done.returncode == 1) and (errors > 0) == (done.returncode == 125), done.returncode
print("valid")
