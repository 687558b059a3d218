#!/usr/bin/env python3
"""Judges one instrumented program of tests/lockfree by the expectation in its source.

    check.py <program> <source> --executions <n>

    // expect: finds=<regex>   with the defaults a bug of this kind is found within 10,000 executions, and its trace replays
    // expect: promoted=<regex>  with --races promote a bug of this kind is found, and its trace replays
    // expect: ignored=<regex>  with --races ignore a bug of this kind is found, and its trace replays
    // expect: predicted=<regex>  with --strategy predict a bug of this kind is found by the second execution
    // expect: nothing         nothing is found in so many executions as the command line says, and none is cut

The programs are small, so they are rewound: a thousand executions take a few hundredths of a second.
"""

import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile

NOTHING, BUG = 0, 2
BUGGY_EXECUTIONS = 10_000
PREDICTED_EXECUTIONS = 2
SECONDS = 300


class Wrong(Exception):
    """What is not as expected, for a person."""


def run(words, directory):
    return subprocess.run([os.environ["HEDDLE_COMMAND"], *words], cwd=directory, capture_output=True, text=True,
                          timeout=SECONDS, check=False)


def require(holds, what, seen):
    if not holds:
        raise Wrong(f"{what}\n--- standard error:\n{seen.stderr}")


def check_buggy(program, kinds, directory, *options, executions=BUGGY_EXECUTIONS):
    seen = run(["run", "-n", str(executions), *options, str(program)], directory)
    require(seen.returncode == BUG, f"exit code {seen.returncode}, not {BUG}", seen)
    [trace] = directory.glob(f"{program.name}.*.trace")
    found = re.search(r"^verdict (\S+)", trace.read_text(encoding="utf-8"), re.MULTILINE)
    require(re.fullmatch(kinds, found.group(1)), f"a bug of the kind {found.group(1)}, not {kinds}", seen)
    again = run(["replay", str(trace)], directory)
    require(again.returncode == BUG and "BUG again" in again.stderr, "its trace does not replay", again)
    trace.unlink()


def check_correct(program, executions, directory):
    seen = run(["run", "-n", str(executions), "--isolation", "rewind", str(program)], directory)
    require(seen.returncode == NOTHING, f"exit code {seen.returncode}, not {NOTHING}", seen)
    require("nothing found" in seen.stderr, "it does not say that nothing was found", seen)
    for sign in ("cut  ", "stopped", "control is partial"):
        require(sign not in seen.stderr, f"`{sign.strip()}`: an execution did not come to its end", seen)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("source", type=pathlib.Path)
    parser.add_argument("--executions", type=int, required=True)
    options = parser.parse_args()
    source = options.source.read_text(encoding="utf-8")
    expectation = re.search(r"^// expect: (?:finds=(\S+)|nothing)$", source, re.MULTILINE)
    promoted = re.search(r"^// expect: promoted=(\S+)$", source, re.MULTILINE)
    ignored = re.search(r"^// expect: ignored=(\S+)$", source, re.MULTILINE)
    predicted = re.search(r"^// expect: predicted=(\S+)$", source, re.MULTILINE)
    try:
        if not expectation:
            raise Wrong("its source has no line `// expect: …`")
        with tempfile.TemporaryDirectory() as temporary:
            if expectation.group(1):
                check_buggy(options.program.resolve(), expectation.group(1), pathlib.Path(temporary))
                if promoted:
                    check_buggy(options.program.resolve(), promoted.group(1), pathlib.Path(temporary), "--races", "promote")
                if ignored:
                    check_buggy(options.program.resolve(), ignored.group(1), pathlib.Path(temporary), "--races", "ignore")
                if predicted:
                    check_buggy(options.program.resolve(), predicted.group(1), pathlib.Path(temporary), "--strategy",
                                "predict", executions=PREDICTED_EXECUTIONS)
            else:
                check_correct(options.program.resolve(), options.executions, pathlib.Path(temporary))
    except Wrong as wrong:
        print(f"{options.program.name}: {wrong}")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
