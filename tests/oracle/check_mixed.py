#!/usr/bin/env python3
"""Explores generated programs of atomic accesses of different sizes, and compares what they print with all interleavings.

    check_mixed.py <mixed> [--programs N] [--seed N] [--words "store8@0=17 / load4@0 load4@4"]

`mixed` is tests/oracle/mixed.cpp, instrumented. The command is $HEDDLE_COMMAND. A program that differs is made smaller for as
long as it still differs, and shown.
"""

import argparse
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile

STRATEGIES = ("dfs", "dfs:reduce=1")
SIZES = (1, 2, 4, 8)


def random_access(generator):
    size = generator.choice(SIZES)
    offset = generator.randrange(0, 8, size)
    kind = generator.choice(("store", "store", "load", "load", "load", "swap", "add"))
    value = {"load": "", "add": "=1"}.get(kind, f"={generator.randrange(1, 100)}")
    return f"{kind}{size}@{offset}{value}"


def random_program(generator):
    lengths = generator.choice(((1, 2), (2, 1), (2, 2), (1, 1, 1)))
    return tuple(tuple(random_access(generator) for _ in range(length)) for length in lengths)


def words_of(program):
    return " / ".join(" ".join(thread) for thread in program)


def perform(memory, access):
    """(the bytes after it, what it returned)"""
    kind, size, offset, value = re.fullmatch(r"([a-z]+)(\d)@(\d)(?:=(\d+))?", access).groups()
    size, offset, value = int(size), int(offset), int(value or 0)
    old = int.from_bytes(memory[offset:offset + size], "little")
    new = {"load": old, "add": (old + value) % 256**size}.get(kind, int.from_bytes(bytes([value] * size), "little"))
    changed = memory[:offset] + new.to_bytes(size, "little") + memory[offset + size:]
    return changed, (0 if kind == "store" else old)


def possible(program):
    """What the program can print: every interleaving, one access at a time."""
    lines = set()

    def go_on(memory, results):
        if all(len(results[i]) == len(thread) for i, thread in enumerate(program)):
            values = [value for thread in results for value in thread] + [int.from_bytes(memory, "little")]
            lines.add(" ".join(f"{value:x}" for value in values))
        for i, thread in enumerate(program):
            if len(results[i]) < len(thread):
                changed, value = perform(memory, thread[len(results[i])])
                go_on(changed, results[:i] + (results[i] + (value,),) + results[i + 1:])

    go_on(bytes(8), ((),) * len(program))
    return lines


def shown(mixed, program, strategy):
    """What it prints under heddle; nothing if it is not explored to the end."""
    with tempfile.TemporaryDirectory() as directory:
        seen = pathlib.Path(directory) / "seen"
        words = [os.environ["HEDDLE_COMMAND"], "run", "--strategy", strategy, "--points", "atomic", "--races", "ignore",
                 "-n", "5000", "--oracle", f"cat >> {seen}", "--", str(mixed), *words_of(program).split()]
        result = subprocess.run(words, cwd=directory, capture_output=True, text=True, timeout=120, check=False)
        if "was explored" not in result.stderr:
            return result.stderr
        return set(seen.read_text(encoding="utf-8").splitlines())


def difference(mixed, program, strategy):
    """Empty: it shows what is possible, no less and no more."""
    can, does = possible(program), shown(mixed, program, strategy)
    if isinstance(does, str):
        return f"  {strategy} did not explore it to the end:\n{does}"
    lines = [f"  missing     {line}" for line in sorted(can - does)] + [f"  impossible  {line}" for line in sorted(does - can)]
    return f"  {strategy}\n" + "\n".join(lines) if lines else ""


def smaller(program):
    for i, thread in enumerate(program):
        if len(program) > 1:
            yield program[:i] + program[i + 1:]
        for at in range(len(thread)):
            yield program[:i] + (thread[:at] + thread[at + 1:],) + program[i + 1:]


def shrink(mixed, program, strategy):
    for candidate in smaller(program):
        if difference(mixed, candidate, strategy):
            return shrink(mixed, candidate, strategy)
    return program


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("mixed", type=pathlib.Path)
    parser.add_argument("--programs", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--words", help="one program, instead of generated ones")
    options = parser.parse_args()
    mixed = options.mixed.resolve()
    generator = random.Random(options.seed)
    programs = [random_program(generator) for _ in range(options.programs)]
    if options.words:
        programs = [tuple(tuple(thread.split()) for thread in options.words.split("/"))]
    for program in programs:
        for strategy in STRATEGIES:
            if difference(mixed, program, strategy):
                small = shrink(mixed, program, strategy)
                print(f"{words_of(small)}\n{difference(mixed, small, strategy)}")
                return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
