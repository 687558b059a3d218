#!/usr/bin/env python3
"""Runs a test program of another framework and checks that exactly the failing tests fail, with heddle's report.

The program's source says what to expect in a line `// expect: passes=3 fails=1 failing=NAME`.
"""

import pathlib
import re
import subprocess
import sys
import tempfile


def expectation(executable):
    source = pathlib.Path(__file__).resolve().parent / (pathlib.Path(executable).name + ".cpp")
    line = re.search(r"// expect: passes=(\d+) fails=(\d+) failing=(.+)", source.read_text())
    return int(line[1]), int(line[2]), line[3].strip()


def main():
    passes, fails, failing = expectation(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        run = subprocess.run([sys.argv[1]], cwd=folder, capture_output=True, text=True, timeout=120)
        traces = list(pathlib.Path(folder).glob("*.trace"))
    text = run.stdout + run.stderr
    if "[==========]" in text:  # GoogleTest
        seen_passes = len(re.findall(r"^\[       OK \]", text, re.M))
        seen_fails = int(re.search(r"(\d+) FAILED TEST", text)[1]) if "FAILED TEST" in text else 0
        named = f"[  FAILED  ] {failing}" in text
    else:  # Catch2
        counts = re.search(r"test cases:\s+\d+\s*\|\s*(\d+) passed\s*\|\s*(\d+) failed", text)
        seen_passes, seen_fails = (int(counts[1]), int(counts[2])) if counts else (-1, -1)
        named = failing in text
    wrong = []
    if (seen_passes, seen_fails) != (passes, fails):
        wrong.append(f"{seen_passes} passed and {seen_fails} failed, not {passes} and {fails}")
    if not named:
        wrong.append(f"`{failing}` is not named as failing")
    if "BUG " not in text or "heddle replay" not in text:
        wrong.append("the report is not in the framework's output")
    if run.returncode == 0:
        wrong.append("the program exits with 0")
    if not traces:
        wrong.append("no trace was written")
    for line in wrong:
        print(f"{pathlib.Path(sys.argv[1]).name}: {line}")
    if wrong:
        print("--- seen:\n" + text)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
