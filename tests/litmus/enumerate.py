#!/usr/bin/env python3
"""Checks the outcomes and the number of interleavings that the litmus tests beside it claim.

Each program is written here a second time, as data: for each thread a list of steps from state to state. All
interleavings are run, one step at a time, which is sequential consistency by its definition. A file that is called as a
program, with or without one of ENDINGS, is the same program: neither a memory order nor a fence changes what
sequential consistency allows. A file without a line `// interleavings: N` has a loop in it and is not checked.
"""

import pathlib
import re
import sys

ENDINGS = ("_relaxed", "_release_acquire", "_fences", "_rmw")


def store(variable, value):
    return lambda state: state | {variable: value}


def load(register, variable):
    return lambda state: state | {register: state[variable]}


def store_sum(variable, register, number):
    return lambda state: state | {variable: state[register] + number}


def fetch_add(register, variable, number):
    return lambda state: state | {register: state[variable], variable: state[variable] + number}


def exchange(register, variable, value):
    return lambda state: state | {register: state[variable], variable: value}


def compare_exchange(register, variable, expected, value):
    """The register tells whether it succeeded."""
    return lambda state: state | ({register: 1, variable: value} if state[variable] == expected else {register: 0})


# Name: what is printed, then the threads. Variables and registers start with 0.
PROGRAMS = {
    "store_buffering": ("r1 r2", [store("x", 1), load("r1", "y")], [store("y", 1), load("r2", "x")]),
    "store_buffering_three": ("r1 r2 r3", [store("x", 1), load("r1", "y")], [store("y", 1), load("r2", "z")],
                              [store("z", 1), load("r3", "x")]),
    "message_passing": ("r1 r2", [store("x", 1), store("y", 1)], [load("r1", "y"), load("r2", "x")]),
    "load_buffering": ("r1 r2", [load("r1", "x"), store("y", 1)], [load("r2", "y"), store("x", 1)]),
    "iriw": ("r1 r2 r3 r4", [store("x", 1)], [store("y", 1)], [load("r1", "x"), load("r2", "y")],
             [load("r3", "y"), load("r4", "x")]),
    "two_plus_two_w": ("x y", [store("x", 1), store("y", 2)], [store("y", 1), store("x", 2)]),
    "coherence_rr": ("r1 r2", [store("x", 1), store("x", 2)], [load("r1", "x"), load("r2", "x")]),
    "coherence_ww": ("r1 x", [store("x", 1), store("x", 2)], [load("r1", "x")]),
    "coherence_wr": ("r1 x", [store("x", 1), load("r1", "x")], [store("x", 2)]),
    "coherence_rw": ("r1 x", [load("r1", "x"), store("x", 1)], [store("x", 2)]),
    "write_to_read_causality": ("r1 r2 r3", [store("x", 1)], [load("r1", "x"), store("y", 1)],
                                [load("r2", "y"), load("r3", "x")]),
    "isa2": ("r1 r2 r3", [store("x", 1), store("y", 1)], [load("r1", "y"), store("z", 1)],
             [load("r2", "z"), load("r3", "x")]),
    "r_shape": ("r1 y", [store("x", 1), store("y", 1)], [store("y", 2), load("r1", "x")]),
    "s_shape": ("r1 x", [store("x", 2), store("y", 1)], [load("r1", "y"), store("x", 1)]),
    "fetch_add_two": ("r1 r2", [fetch_add("r1", "x", 1)], [fetch_add("r2", "x", 1)]),
    "fetch_add_three": ("r1 r2 r3", [fetch_add("r1", "x", 1)], [fetch_add("r2", "x", 1)], [fetch_add("r3", "x", 1)]),
    "exchange_two": ("r1 r2 x", [exchange("r1", "x", 1)], [exchange("r2", "x", 2)]),
    "compare_exchange_two": ("r1 r2 x", [compare_exchange("r1", "x", 0, 1)], [compare_exchange("r2", "x", 0, 2)]),
    "plain_race_increment": ("x", [load("r1", "x"), store_sum("x", "r1", 1)],
                             [load("r2", "x"), store_sum("x", "r2", 1)]),
}


def ends_of(threads, state):
    """The state at the end of each interleaving."""
    if not any(threads):
        yield state
    for number, (first, *rest) in ((number, steps) for number, steps in enumerate(threads) if steps):
        yield from ends_of([*threads[:number], rest, *threads[number + 1:]], first(state))


def outcomes_of(program):
    """One for each interleaving."""
    shown, *threads = program
    start = dict.fromkeys("x y z r1 r2 r3 r4".split(), 0)
    return [" ".join(f"{name}={end[name]}" for name in shown.split()) for end in ends_of(threads, start)]


def program_of(name):
    for ending in ("", *ENDINGS):
        if name.endswith(ending) and (found := PROGRAMS.get(name.removesuffix(ending))):
            return found
    return None


def complaints_about(file):
    text = file.read_text(encoding="utf-8")
    claimed = re.findall(r"^// outcome: (.+)$", text, re.M)
    count = re.search(r"^// interleavings: (\d+)$", text, re.M)
    if not claimed:
        yield "it claims no outcome: add a line `// outcome: …` for each"
    if not count:
        return
    if not (program := program_of(file.stem)):
        yield f"no program in enumerate.py is called {file.stem}"
        return
    outcomes = outcomes_of(program)
    if claimed != sorted(set(outcomes)):
        yield f"the outcomes are, in this order: {sorted(set(outcomes))}"
    if int(count[1]) != len(outcomes):
        yield f"there are {len(outcomes)} interleavings"


def main():
    files = sorted(pathlib.Path(__file__).parent.glob("*.cpp"))
    complaints = [f"{file.name}: {complaint}" for file in files for complaint in complaints_about(file)]
    print("\n".join(complaints) or f"{len(files)} litmus tests are as they claim")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
