#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Each rule of tidy.py finds the one thing that is planted for it, and nothing in a tree where all is well."""
import pathlib
import tempfile
import unittest

import tidy

SPDX = "SPDX-License-Identifier: GPL-2.0-or-later\n"
GOOD = {
    "model/value.hpp": f"// {SPDX}#include <array>\n",
    "spec/iova/facts.hpp": f'// {SPDX}#include "model/value.hpp"\nFactInfo{{"mag_size", "entries"}};\n',
    "properties/iova.cpp": f'// {SPDX}#include "spec/iova/facts.hpp"\nInfo{{"iova.P1"}};\n',
    "checker/review/facts/iova/rcache.cocci": f"// {SPDX}+ /* iomc: mag_size = #define */\n",
    "checker/symbolic/terms.cpp": f"// {SPDX}#include <z3++.h>\n",
    "tests/iova_test.cpp": f'// {SPDX}#include <rapidcheck.h>\n"iova.P1"\n',
    "docs/guide.md": "# The guide\n[other](other.md#a-heading)\n",
    "docs/other.md": "# A `heading`\n",
}

# What is planted, and what has to be said about it.
PLANTED = [
    ("spec/a.cpp", "int x;\n", "spec/a.cpp:1: no SPDX"),
    ("run.sh", f"#!/bin/sh\n# {SPDX}" + "x" * 121 + "\n", "run.sh:3: 121 columns"),
    ("checker/a.cpp", f"// {SPDX}" + "\n" * 700, "checker/a.cpp:701: 701 lines"),
    ("model/a.hpp", f'// {SPDX}#include "spec/iova/facts.hpp"\n', "model/a.hpp:2: includes upwards"),
    ("checker/a.cpp", f'// {SPDX}#include "tests/x.hpp"\n', "checker/a.cpp:2: includes upwards"),
    ("spec/a.hpp", f'// {SPDX}#include "facts.hpp"\n', "spec/a.hpp:2: facts.hpp is not written from the top"),
    ("checker/explicit/a.cpp", f"// {SPDX}#include <z3++.h>\n", "checker/explicit/a.cpp:2: Z3 outside"),
    ("model/a.hpp", f"// {SPDX}#include <rapidcheck/catch.h>\n", "model/a.hpp:2: RapidCheck outside"),
    ("checker/a.hpp", f"// {SPDX}#include <fmt/format.h>\n", "checker/a.hpp:2: fmt in a header"),
    ("checker/report/a.cpp", f"// {SPDX}#include <CLI/CLI.hpp>\n", "checker/report/a.cpp:2: CLI11 outside"),
    ("checker/cli/a.cpp", f"// {SPDX}#include <nlohmann/json.hpp>\n", "checker/cli/a.cpp:2: nlohmann-json outside"),
    ("docs/a.md", "see /" + "home/someone/linux\n", "docs/a.md:1: a path or host"),
    ("properties/b.cpp", f'// {SPDX}Info{{"iova.P2"}};\n', "properties/b.cpp:2: iova.P2 appears in no test"),
    ("spec/vmd/facts.hpp", f'// {SPDX}\nFactInfo{{"device", ""}};\n', "spec/vmd/facts.hpp:3: no rule reads the fact"),
    ("spec/a.hpp", f"// {SPDX}// Deviation: none\n", "spec/a.hpp:2: a deviation that docs/assumptions.md"),
    ("model/cost.hpp", f"// {SPDX}enum class Cost {{\n  tree_lock,\n  count_\n}};\n",
     "model/cost.hpp:3: no step of a specification counts tree_lock"),
    ("README.md", "\n[x](docs/none.md)\n", "README.md:2: link to docs/none.md: there is no such file"),
    ("README.md", "[x](docs/other.md#nowhere)\n", "README.md:1: link to docs/other.md#nowhere: there is no such head"),
]


def findings(files):
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder) / "tree"
        for name, text in files.items():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text(text)
        return tidy.findings(root)


class Tidy(unittest.TestCase):
    def test_a_tree_where_all_is_well(self):
        self.assertEqual(findings(GOOD), [])

    def test_each_planted_fault_is_found_alone(self):
        for name, text, expected in PLANTED:
            with self.subTest(expected):
                found = findings({**GOOD, name: text})
                self.assertEqual(len(found), 1, found)
                self.assertTrue(found[0].startswith(expected), found[0])


unittest.main()
