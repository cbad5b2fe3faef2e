#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""The rules of this repository that a machine can check. usage: tidy.py ROOT

Prints one line a finding, FILE:LINE: WHAT, and ends with status 1 if there is any. CONTRIBUTING.md lists the rules.
"""
import pathlib
import re
import subprocess
import sys

SOURCES = {".hpp", ".cpp", ".c", ".sh", ".bash", ".cmake", ".py", ".cocci", ".iso", ".pml", ".m"}
NARROW = {".hpp", ".cpp", ".sh", ".cmake"}
COLUMNS = 120
LINES = 700

# A folder may include from those at its own place or to the left, never to the right.
FLOORS = {"model": 0, "spec": 1, "properties": 2, "checker": 3, "bench": 4, "examples": 4, "tests": 5}

# Libraries, and the only places that may see them.
LIBRARIES = [
    (re.compile(r"z3(\+\+)?\.h"), ("checker/symbolic/",), "Z3"),
    (re.compile(r"rapidcheck\b"), ("tests/", "checker/random/"), "RapidCheck"),
    (re.compile(r"CLI/"), ("checker/cli/",), "CLI11"),
    (re.compile(r"nlohmann/"), ("checker/report/", "checker/review/json_writer.cpp",
                                   "checker/cost/json_object.hpp", "tests/"), "nlohmann-json"),
    (re.compile(r"pugixml"), ("checker/report/", "checker/review/test_writers.cpp"), "pugixml"),
    (re.compile(r"catch2/"), ("tests/",), "Catch2"),
]


class Tree:
    """The files of a repository, and what was found wrong with them."""

    def __init__(self, root):
        self.root = pathlib.Path(root).resolve()
        self.findings = []
        self.texts = {}
        for name in self.names():
            try:
                self.texts[name] = (self.root / name).read_text(encoding="utf-8")
            except UnicodeDecodeError:
                pass  # no source

    def names(self):
        """What git knows or would add; without git, everything outside build/."""
        if (self.root / ".git").exists():
            listed = subprocess.run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
                                    cwd=self.root, capture_output=True, text=True, check=True)
            names = set(listed.stdout.split("\0")) - {""}
        else:
            names = {str(p.relative_to(self.root)) for p in self.root.rglob("*") if p.is_file()}
        return sorted(n for n in names if not n.startswith(("build/", ".git/")) and (self.root / n).is_file())

    def say(self, name, line, what):
        self.findings.append(f"{name}:{line}: {what}")

    def some(self, *suffixes):
        return [(n, t) for n, t in self.texts.items() if pathlib.PurePath(n).suffix in suffixes]

    def under(self, folder):
        return "".join(t for n, t in self.texts.items() if n.startswith(folder))


def is_source(name, text):
    path = pathlib.PurePath(name)
    return path.suffix in SOURCES or path.name == "CMakeLists.txt" or text.startswith("#!")


def headers(tree):
    for name, text in tree.texts.items():
        if is_source(name, text) and "SPDX-License-Identifier: GPL-2.0" not in "\n".join(text.split("\n")[:4]):
            tree.say(name, 1, "no SPDX-License-Identifier in the first four lines")


def sizes(tree):
    for name, text in tree.texts.items():
        if not is_source(name, text):
            continue
        lines = text.splitlines()
        if len(lines) > LINES:
            tree.say(name, LINES + 1, f"{len(lines)} lines; at most {LINES}")
        if pathlib.PurePath(name).suffix in NARROW:
            for number, line in enumerate(lines, 1):
                if len(line) > COLUMNS:
                    tree.say(name, number, f"{len(line)} columns; at most {COLUMNS}")


def includes(tree):
    for name, text in tree.some(".hpp", ".cpp"):
        floor = FLOORS.get(name.split("/")[0])
        for number, line in enumerate(text.splitlines(), 1):
            found = re.match(r'\s*#\s*include\s*[<"]([^>"]+)[>"]', line)
            if not found:
                continue
            included = found[1]
            there = FLOORS.get(included.split("/")[0])
            if '"' in line and there is None:
                tree.say(name, number, f"{included} is not written from the top of the repository")
            if floor is not None and there is not None and there > floor:
                tree.say(name, number, f"includes upwards: {included}")
            if name.endswith(".hpp") and included.startswith("fmt/"):
                tree.say(name, number, "fmt in a header: only .cpp files may")
            for pattern, allowed, library in LIBRARIES:
                if pattern.match(included) and not name.startswith(allowed):
                    tree.say(name, number, f"{library} outside {' and '.join(allowed)}")


def machine(tree):
    """Nothing that is only true on one machine: home and mount paths, the place of this copy, its package servers."""
    patterns = [r"(?<![\w.$}~-])/(?:home|root|mnt|media|srv|Users)/\w"]
    if tree.root.parent != pathlib.Path("/"):
        patterns.append(re.escape(str(tree.root.parent)) + "/")
    for listing in [pathlib.Path("/etc/apt/sources.list"), *pathlib.Path("/etc/apt").glob("sources.list.d/*")]:
        if listing.is_file():
            patterns += [re.escape(h) for h in re.findall(r"://([^/\s]+)", listing.read_text(errors="ignore"))]
    wrong = re.compile("|".join(patterns))
    for name, text in tree.texts.items():
        for number, line in enumerate(text.splitlines(), 1):
            if wrong.search(line):
                tree.say(name, number, "a path or host of one machine")


def properties(tree):
    tests = tree.under("tests/")
    for name, text in tree.some(".cpp"):
        if name.startswith("properties/"):
            for number, line in enumerate(text.splitlines(), 1):
                for found in re.findall(r'"([a-z]+\.[A-Z][0-9]+[a-z]?)"', line):
                    if f'"{found}"' not in tests:
                        tree.say(name, number, f"{found} appears in no test")


def facts(tree):
    for name, text in tree.some(".hpp"):
        found = re.fullmatch(r"spec/([a-z_]+)/facts\.hpp", name)
        if not found:
            continue
        rules = tree.under(f"checker/review/facts/{found[1]}/")
        for match in re.finditer(r'FactInfo\{"(\w+)"', text):
            if not re.search(rf"(iomc|not in source): {match[1]} = ", rules):
                tree.say(name, text.count("\n", 0, match.start()) + 1, f"no rule reads the fact {match[1]}")


def events(tree):
    """Each cost event of model/cost.hpp is one that some step counts."""
    text = tree.texts.get("model/cost.hpp", "enum class Cost count_")
    kinds = text[text.index("enum class Cost"):text.index("count_")]
    steps = "".join(t for n, t in tree.texts.items() if n.startswith("spec/"))
    for event in re.findall(r"^  (\w+),", kinds, re.M):
        if not re.search(r"Cost::" + event + r"\b", steps):
            line = text[:text.index(f"  {event},")].count("\n") + 1
            tree.say("model/cost.hpp", line, f"no step of a specification counts {event}: count it, or take it out")


def deviations(tree):
    assumptions = tree.texts.get("docs/assumptions.md", "")
    for name, text in tree.some(".hpp", ".cpp"):
        found = re.search(r"\bDeviation\b", text) if name.startswith("spec/") else None
        if found and name not in assumptions:
            tree.say(name, text.count("\n", 0, found.start()) + 1, "a deviation that docs/assumptions.md does not explain")


def slug(heading):
    return re.sub(r"[^\w\- ]", "", heading.strip().lower().replace("`", "")).replace(" ", "-")


def links(tree):
    for name, text in tree.some(".md"):
        text = re.sub(r"```.*?```", lambda m: "\n" * m[0].count("\n"), text, flags=re.S)
        for match in re.finditer(r"\]\(([^)\s]+)\)", text):
            target, _, anchor = match[1].partition("#")
            if re.match(r"[a-z]+:", target):
                continue
            number = text.count("\n", 0, match.start()) + 1
            path = (tree.root / name).parent / target if target else tree.root / name
            if not path.exists():
                tree.say(name, number, f"link to {match[1]}: there is no such file")
            elif anchor and anchor not in {slug(h) for h in re.findall(r"^#+ (.*)$", path.read_text(), re.M)}:
                tree.say(name, number, f"link to {match[1]}: there is no such heading")


RULES = [headers, sizes, includes, machine, properties, facts, events, deviations, links]


def findings(root):
    tree = Tree(root)
    for rule in RULES:
        rule(tree)
    return tree.findings


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: tidy.py ROOT")
    found = findings(sys.argv[1])
    print("\n".join(found) if found else "tidy")
    sys.exit(1 if found else 0)
