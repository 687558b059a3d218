#!/usr/bin/env python3
"""Kills `heddle run` by SIGKILL at random moments while programs of tests/odd run: nothing may be left behind.

    kill.py --programs <folder> --moments <n> [--seed <n>]

The moments are spread over the programs and the isolations, most of them early. After each, no process of the command is
left a moment later, no file but traces and what the program itself leaves, and every trace is whole: `heddle show`
reads it.
"""

import argparse
import os
import pathlib
import random
import subprocess
import sys
import tempfile

import check
import left_behind  # found by check
from judge import NOTHING, Wrong, environment, require

SECONDS_MAX = 2.5  # after the start; half of the moments are in the first fifth


def check_traces(place, seen):
    for trace in place.traces():
        shown = subprocess.run([os.environ["HEDDLE_COMMAND"], "show", str(trace)], env=environment(), text=True,
                               capture_output=True, timeout=60, check=False)
        require(shown.returncode == NOTHING, f"{trace.name} is half a trace: {shown.stderr}", seen.output)


def kill_once(source, program, isolation, at):
    odd = check.read(source)
    with tempfile.TemporaryDirectory() as folder:
        place = left_behind.Place(folder)
        seen = check.run(odd, check.words_of(odd, program, isolation), place, at)
        require(not seen.left, "it leaves behind: " + ", ".join(seen.left), seen.output)
        files = [str(path) for path in place.files() if path not in place.traces() and path.name not in odd.leaves]
        require(not files, "it leaves files behind: " + ", ".join(files), seen.output)
        check_traces(place, seen)


def moments(count, programs, draw):
    for number in range(count):
        yield draw.choice(programs), check.ISOLATIONS[number % len(check.ISOLATIONS)], SECONDS_MAX * draw.random() ** 2.3


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--programs", type=pathlib.Path, required=True)
    parser.add_argument("--moments", type=int, required=True)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    sources = sorted(path for path in pathlib.Path(__file__).parent.iterdir() if path.suffix in (".c", ".cpp"))
    left_behind.become_subreaper()
    for source, isolation, at in moments(arguments.moments, sources, random.Random(arguments.seed)):
        try:
            kill_once(source, arguments.programs / source.stem, isolation, at)
        except Wrong as wrong:
            print(f"{source.name} with --isolation {isolation}, killed after {at:.3f} s: {wrong}")
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
