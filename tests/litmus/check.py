#!/usr/bin/env python3
"""Explores one litmus test completely, and compares what it showed with what sequential consistency allows.

    check.py <program> <source>

Depth-first search visits every schedule with every access as a scheduling point; each outcome that is written must be a line
`// outcome: …` of the source, and each of these must have been written.
"""

import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile

SECONDS = 300


class Wrong(Exception):
    """What is not as expected, for a person."""


def check(program, source, directory):
    expected = set(re.findall(r"^// outcome: (.*)$", source.read_text(encoding="utf-8"), re.MULTILINE))
    seen_file = directory / "seen"
    words = [os.environ["HEDDLE_COMMAND"], "run", "--isolation", "rewind", "--strategy", "dfs:reduce=1", "--points", "all",
             "--races", "ignore", "-n", "10000000", "--oracle", f"cat >> {seen_file}", str(program)]
    result = subprocess.run(words, cwd=directory, capture_output=True, text=True, timeout=SECONDS, check=False)
    if result.returncode != 0 or "every schedule, but for the order of independent steps, was explored" not in result.stderr:
        raise Wrong(f"it was not explored to the end:\n{result.stderr}")
    seen = set(seen_file.read_text(encoding="utf-8").splitlines())
    if seen - expected:
        raise Wrong(f"not sequentially consistent: {sorted(seen - expected)}\n{result.stderr}")
    if expected - seen:
        raise Wrong(f"never seen: {sorted(expected - seen)}\n{result.stderr}")
    print(re.search(r"\(.*executions.*\)", result.stderr).group(0))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("source", type=pathlib.Path)
    options = parser.parse_args()
    try:
        with tempfile.TemporaryDirectory() as temporary:
            check(options.program.resolve(), options.source.resolve(), pathlib.Path(temporary))
    except Wrong as wrong:
        print(f"{options.program.name}: {wrong}")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
