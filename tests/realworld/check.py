#!/usr/bin/env python3
"""Explores a real program that nobody changed, and checks that heddle finds nothing in it.

    check.py <name> --executions <n> [--programs <folder>]

The program is run free once. Then `heddle run` explores it under random schedules: nothing may be found, no execution may
stand still, and every execution must write what the free run wrote. The same seed again must give the same schedules.
PROGRAMS lists the names; those that are built for this test are looked for in the folder.
"""

import argparse
import dataclasses
import os
import pathlib
import random
import subprocess
import sys
import tempfile

FREE_SECONDS = 60
SECONDS_EACH = 2  # of one execution, on average, on a machine that does other things as well


class Wrong(Exception):
    """What is not as expected, for a person."""


@dataclasses.dataclass
class Program:
    words: list  # {input}: a file with the input; {programs}: the folder of the programs built here
    make_input: object = None
    from_free_run: bool = False  # the input is what `words_before` writes
    words_before: list = dataclasses.field(default_factory=list)
    distinct: float = 0.5  # at least this share of the schedules differs from all before


# --- inputs, the same on every machine ------------------------------------------------------------------------------


def text(size):
    """Compresses well, but not to nothing."""
    draw = random.Random(1)
    words = [bytes(draw.choices(b"etaoinshrdlu", k=draw.randint(2, 9))) for _ in range(400)]
    return b" ".join(draw.choices(words, k=size // 5))[:size]


def lines(count):
    draw = random.Random(1)
    return b"".join(b"%x\n" % draw.randrange(4096) for _ in range(count))


# Sizes are the smallest that make each program start all its threads.
PROGRAMS = {
    "pigz": Program(["pigz", "-p", "4", "-b", "128", "-1", "-c", "{input}"], lambda: text(500_000)),
    "pigz_input": Program(["pigz", "-p", "4", "-b", "128", "-1"], lambda: text(500_000)),
    "pigz_decompress": Program(["pigz", "-d", "-p", "4", "-c", "{input}"], lambda: text(300_000), True,
                               ["pigz", "-p", "4", "-b", "128", "-1", "-c", "{input}"]),
    "pbzip2": Program(["pbzip2", "-p4", "-b1", "-1", "-c", "-k", "{input}"], lambda: text(350_000)),
    "pbzip2_decompress": Program(["pbzip2", "-d", "-p4", "-c", "{input}"], lambda: text(350_000), True,
                                 ["pbzip2", "-p4", "-b1", "-1", "-c", "-k", "{input}"]),
    "xz": Program(["xz", "-T4", "-0", "--block-size=65536", "-c", "{input}"], lambda: text(300_000)),
    "xz_decompress": Program(["xz", "-d", "-T4", "-c", "{input}"], lambda: text(300_000), True,
                             ["xz", "-T4", "-0", "--block-size=65536", "-c", "{input}"]),
    "zstd": Program(["zstd", "-q", "-T4", "-B524288", "-1", "-c", "{input}"], lambda: text(2_000_000)),
    "sort": Program(["sort", "--parallel=4", "{input}"], lambda: lines(270_000)),
    "gtest": Program(["{programs}/gtest_threads"]),
    "sqlite_file": Program(["{programs}/sqlite_connections", "file"]),
    "sqlite_memory": Program(["{programs}/sqlite_connections", "memory"]),
    "libevent": Program(["{programs}/libevent_echo"]),
    "asio": Program(["{programs}/asio_echo"]),
}


# --- running ---------------------------------------------------------------------------------------------------------


def environment():
    variables = {name: value for name, value in os.environ.items() if not name.startswith("HEDDLE_")}
    variables["LC_ALL"] = "C"
    return variables


def run(words, seconds, directory, standard_input):
    with open(standard_input or os.devnull, "rb") as source:
        try:
            return subprocess.run(words, stdin=source, capture_output=True, timeout=seconds, cwd=directory,
                                  env=environment(), check=False)
        except subprocess.TimeoutExpired as expired:
            raise Wrong(f"no end within {seconds} s: {' '.join(words)}\n{(expired.stderr or b'').decode()}") from expired


def require(holds, what, seen):
    if not holds:
        raise Wrong(f"{what}\n--- standard error:\n{seen.stderr.decode(errors='replace')}")


def run_free(words, directory, standard_input):
    seen = run(words, FREE_SECONDS, directory, standard_input)
    require(seen.returncode == 0, f"run free it exits with {seen.returncode}", seen)
    return seen.stdout


def explore(words, executions, directory, standard_input, name):
    """The lines of the list of schedules."""
    listed = directory / f"schedules.{name}"
    command = [os.environ["HEDDLE_COMMAND"], "run", "--strategy", "random", "--seed", "1", "-n", str(executions),
               "--same-output", "--oracle", f"cmp - {directory / 'expected'}", "--list-schedules", str(listed), "--"]
    seen = run(command + words, 60 + SECONDS_EACH * executions, directory, standard_input)
    errors = seen.stderr.decode(errors="replace")
    require(seen.returncode == 0, f"exit code {seen.returncode}, not 0", seen)
    require("nothing found" in errors, "it does not say that nothing was found", seen)
    for sign in ("control is partial", "stood still", "stopped", "  cut  "):
        require(sign not in errors, f"`{sign.strip()}`: an execution did not come to its end under control", seen)
    found = listed.read_text(encoding="utf-8").splitlines()
    require(len(found) == executions, f"{len(found)} schedules are listed, not {executions}", seen)
    for line in found:
        require(line.endswith(" passed"), f"an execution did not pass: {line}", seen)
    return found


def check_distinct(found, share):
    distinct = len({line.split()[2] for line in found})
    if distinct < share * len(found):
        raise Wrong(f"only {distinct} of {len(found)} schedules are different: are there threads?")


def check_same(first, second):
    for one, other in zip(first, second):
        if one != other:
            raise Wrong(f"the same seed gave another schedule: `{one}`, then `{other}`")


# --- one program -----------------------------------------------------------------------------------------------------


def prepare(program, directory, programs):
    """Makes the input; returns the words of the command, and the standard input if that is where the input goes."""
    source = directory / "input"
    fill = lambda words: [word.format(input=source, programs=programs) for word in words]
    if program.make_input:
        source.write_bytes(program.make_input())
    if program.from_free_run:
        source.write_bytes(run_free(fill(program.words_before), directory, None))
    reads_input = program.make_input and "{input}" not in program.words
    return fill(program.words), source if reads_input else None


def check(program, executions, programs):
    with tempfile.TemporaryDirectory() as temporary:
        directory = pathlib.Path(temporary)
        words, standard_input = prepare(program, directory, programs)
        (directory / "expected").write_bytes(run_free(words, directory, standard_input))
        first = explore(words, executions, directory, standard_input, "first")
        check_distinct(first, program.distinct)
        check_same(first, explore(words, executions, directory, standard_input, "second"))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("name", choices=sorted(PROGRAMS))
    parser.add_argument("--executions", type=int, required=True)
    parser.add_argument("--programs", type=pathlib.Path, default=pathlib.Path("."))
    options = parser.parse_args()
    try:
        check(PROGRAMS[options.name], options.executions, options.programs.resolve())
    except Wrong as wrong:
        print(f"{options.name}: {wrong}")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
