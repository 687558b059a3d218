#!/usr/bin/env python3
"""Judges one program of tests/programs by the expectations in its source.

    check.py <program> <source>

Each line `// expect: …` of the source is one expectation. Its words:

    verdict=<regex>      a bug of this kind is found: exit code 2, a trace of it is written and replays
    passes               nothing is found: exit code 0
    wrong-use            heddle refuses: exit code 1
    message=<regex>      in the sentence of the verdict, or of the refusal
    output=<regex>       in what is printed
    strategy=<strategy>  under which it is to happen; without it under `portfolio` and under `random`
    strategy=every       under each that there is, for fewer executions
    executions=<n>       exactly after so many executions
    executions<=<n>      after so many at most, which is also the budget
    seeds=<n>            with each of the seeds 1 to n; without it with the seed 1
    complete             a systematic strategy said that every schedule was explored
    complete=fair        … every fair schedule: there is a loop that pauses
    sanitizer=address    only in a program that was built with it, which ends the process after its own report

A value with blanks is quoted as in a shell. A trace is replayed on both executors: they must
agree on every step. HEDDLE_TEST_EXECUTIONS is the budget of a program that passes and names none. A program that does
not call heddle is run free (HEDDLE_PLAIN_PROGRAM and the program itself, in which heddle must be silent), and by
`heddle run` where that command was built.
"""

import dataclasses
import itertools
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from judge import BUG, NOTHING, WRONG_USE, Wrong, environment, lines_of, require  # noqa: E402

SANITIZER_EXIT = 1  # its own: the process is its own from the moment of the error
EXIT_CODE = {"passes": NOTHING, "wrong-use": WRONG_USE, "verdict": BUG}
TIMEOUT_SECONDS = 120  # of one run: nothing here takes a tenth of it, but for a build with a sanitizer

EVERY_EXECUTIONS = 100  # under each strategy, where they are all tried and nobody asks for more
WHOLE_EXECUTIONS = 1000  # of a whole program, in processes of their own, where the source names no number


@dataclasses.dataclass
class Expectation:
    line: int
    kind: str  # passes, verdict or wrong-use
    verdict: str = ""
    message: str = ""
    output: str = ""
    strategies: tuple = ("portfolio", "random")
    every: bool = False  # of all that there are
    executions: int | None = None
    executions_max: int | None = None
    seeds: int = 1
    complete: str = ""  # "every", "every fair"
    sanitizer: str = ""


@dataclasses.dataclass
class Run:
    code: int
    output: str


def all_strategies():
    command = os.environ.get("HEDDLE_COMMAND")
    if not command:
        return ("portfolio", "random")
    listed = subprocess.run([command, "strategies"], capture_output=True, check=True, text=True).stdout
    return tuple(line.split()[0] for line in listed.split("\n\n")[0].splitlines() if not line.startswith(" "))


def read_expectation(number, text):
    known = {"line": number}
    for word in shlex.split(text):
        if word in ("passes", "wrong-use"):
            known["kind"] = word
        elif word == "complete":
            known["complete"] = "every"
        elif word == "complete=fair":
            known["complete"] = "every fair"
        elif match := re.fullmatch(r"executions(<?)=(\d+)", word):
            known["executions_max" if match[1] else "executions"] = int(match[2])
        elif match := re.fullmatch(r"seeds=(\d+)", word):
            known["seeds"] = int(match[1])
        elif match := re.fullmatch(r"strategy=(.+)", word):
            known["strategies"] = all_strategies() if match[1] == "every" else (match[1],)
            known["every"] = match[1] == "every"
        elif match := re.fullmatch(r"(verdict|message|output|sanitizer)=(.+)", word):
            known[match[1]] = match[2]
        else:
            raise Wrong(f"line {number}: `{word}` is no word of an expectation")
    if "verdict" in known:
        known["kind"] = "verdict"
    if "kind" not in known:
        raise Wrong(f"line {number}: it must say `verdict=…`, `passes` or `wrong-use`")
    return Expectation(**known)


def read_expectations(source):
    found = lines_of(source, "expect")
    if not found:
        raise Wrong("it says nothing about what to expect: add a line `// expect: …`")
    expectations = [read_expectation(number, text) for number, text in found]
    folder_says_buggy = source.parent.name == "buggy"
    for expectation in expectations:
        if (expectation.kind == "passes") == folder_says_buggy and expectation.strategies == ("portfolio", "random"):
            raise Wrong(f"line {expectation.line}: does not agree with the folder it is in")
    return expectations


def run(command, **variables):
    """Runs it with the HEDDLE_ variables given and no others."""
    try:
        done = subprocess.run(command, env=environment(**variables), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              timeout=TIMEOUT_SECONDS, errors="replace", text=True)
    except subprocess.TimeoutExpired as expired:
        raise Wrong(f"no end within {TIMEOUT_SECONDS} s; so far: {expired.output}") from expired
    return Run(done.returncode, done.stdout)


# --- what was found ----------------------------------------------------------------------------------------------


def header_of(trace):
    """The lines before the first empty one, by their first word."""
    lines = trace.read_text(encoding="utf-8").split("\n\n")[0].splitlines()
    return dict(line.split(" ", 1) for line in lines if not line.startswith("option "))


def verdict_of(trace):
    """(kind, sentence)"""
    kind, _, rest = header_of(trace)["verdict"].partition(" ")
    return kind, re.sub(r"^(T\d+|-) ", "", rest)


def executions_of(output):
    if "it ran once and ended well" in output:  # there was nothing to choose
        return 1
    match = re.search(r"\(([\d,]+) executions?, |nothing found in ([\d,]+) executions?", output)
    require(match, "the report does not say how many executions there were", output)
    return int((match[1] or match[2]).replace(",", ""))


def on_the_other_executor(trace):
    text = trace.read_text(encoding="utf-8")
    other = trace.with_suffix(".other.trace")
    names = ("carrier", "baton")
    if f"executor={names[1]}" in text:
        names = names[::-1]
    require(f"option executor={names[0]}" in text, "the trace does not say on which executor", text)
    other.write_text(text.replace(f"option executor={names[0]}", f"option executor={names[1]}"), encoding="utf-8")
    return other


class Inside:
    """A program that calls heddle itself."""

    def __init__(self, program):
        self.program = program

    def explore(self, settings):
        return run([self.program], **settings)

    def replays(self, trace):
        for each in (trace, on_the_other_executor(trace)):
            yield run([self.program], replay=each)


class Whole:
    """A program that knows nothing of heddle, explored by `heddle run`."""

    def __init__(self, program, command):
        self.program, self.command = program, command

    def explore(self, settings):
        settings = {"executions": WHOLE_EXECUTIONS} | settings
        options = [word for name, value in settings.items() for word in (f"--{name.replace('_', '-')}", str(value))]
        return run([self.command, "run", *options, "--", self.program])

    def replays(self, trace):
        yield run([self.command, "replay", trace])


def check_replay(seen, kind, sentence, code):
    require(seen.code == code, f"the replay of a {kind} exits with {seen.code}, not {code}", seen.output)
    again = "BUG again: " if code == BUG else "BUG"  # the sanitizer ends the process before heddle can compare
    require(again in seen.output, "the replay does not say that it saw the bug again", seen.output)
    require(sentence in seen.output, f"the replay does not end with `{sentence}`", seen.output)


def check_bug(way, name, expected, seen, directory):
    traces = sorted(directory.glob("*.trace"))
    require(len(traces) == 1, f"{len(traces)} traces were written, not one", seen.output)
    trace = traces[0]
    is_named_well = re.fullmatch(re.escape(name) + r"(\.[\w+.-]+)?\.[a-z0-9-]+\.[0-9a-f]{4}\.trace", trace.name)
    require(is_named_well, f"the trace is called {trace.name}", seen.output)
    require(str(trace) in seen.output, "the report does not name the trace", seen.output)
    kind, sentence = verdict_of(trace)
    require(re.fullmatch(expected.verdict, kind), f"the verdict is {kind}, not {expected.verdict}", seen.output)
    require(re.search(expected.message, sentence), f"`{expected.message}` is not in the verdict", sentence)
    if expected.sanitizer:
        require("ERROR: AddressSanitizer: " in seen.output, "the sanitizer says nothing", seen.output)
    else:
        require("seen twice" in seen.output, "the bug was not seen twice", seen.output)
    for again in way.replays(trace):
        check_replay(again, kind, sentence, seen.code)
    return int(header_of(trace)["execution"])


# --- one expectation ---------------------------------------------------------------------------------------------


def check_under(way, name, expected, strategy, seed):
    with tempfile.TemporaryDirectory() as temporary:
        directory = pathlib.Path(temporary)
        settings = {"strategy": strategy, "seed": seed, "trace_dir": directory}
        if expected.executions_max is not None:
            settings["executions"] = expected.executions_max
        elif expected.executions is not None:
            settings["executions"] = expected.executions + 1000  # so that more would be seen
        elif expected.kind == "passes" and not expected.complete and "HEDDLE_TEST_EXECUTIONS" in os.environ:
            settings["executions"] = os.environ["HEDDLE_TEST_EXECUTIONS"]
        elif expected.every:
            settings["executions"] = EVERY_EXECUTIONS
        seen = way.explore(settings)
        wanted = SANITIZER_EXIT if expected.sanitizer else EXIT_CODE[expected.kind]
        require(seen.code == wanted, f"exit code {seen.code}, not {wanted}", seen.output)
        require(re.search(expected.output, seen.output), f"`{expected.output}` is not in the output", seen.output)
        executions = None
        if expected.kind == "verdict":
            executions = check_bug(way, name, expected, seen, directory)
        else:
            require(not list(directory.iterdir()), "a trace was written, of nothing", seen.output)
            require(re.search(expected.message, seen.output), f"`{expected.message}` is not in the output", seen.output)
        if expected.kind == "passes":
            executions = executions_of(seen.output)
        if expected.executions is not None:
            require(executions == expected.executions, f"{executions} executions, not {expected.executions}", seen.output)
        if expected.executions_max is not None:
            require(executions <= expected.executions_max, f"{executions} executions", seen.output)
        if expected.complete:
            explored = re.search(expected.complete + r" schedule.* was explored: none fails", seen.output)
            ran_once = "it ran once and ended well" in seen.output  # there is no other schedule
            require(ran_once or explored and "except" not in explored[0],
                    f"{expected.complete} schedule was not explored", seen.output)


def check_free(program, source):
    """A program that does not call heddle: heddle is linked to it or not, and is silent."""
    if source.parent.name == "buggy":
        return  # it may hang, or crash, or do nothing
    for form in (program, os.environ["HEDDLE_PLAIN_PROGRAM"]):
        seen = run([form])
        require(seen.code == 0 and seen.output == "", f"run free, {form} exits with {seen.code}", seen.output)


def has_sanitizer(program):
    return b"__asan_init" in pathlib.Path(program).read_bytes()


def check_all(way, name, expectations):
    for expected in expectations:
        if expected.sanitizer and not has_sanitizer(way.program):
            continue
        for strategy, seed in itertools.product(expected.strategies, range(1, expected.seeds + 1)):
            try:
                check_under(way, name, expected, strategy, seed)
            except Wrong as wrong:
                raise Wrong(f"line {expected.line}, under {strategy}, seed {seed}: {wrong}") from wrong


def main():
    program, source = sys.argv[1], pathlib.Path(sys.argv[2])
    try:
        expectations = read_expectations(source)
        if "#include <heddle/" in source.read_text(encoding="utf-8"):
            check_all(Inside(program), source.stem, expectations)
            return 0
        check_free(program, source)
        command, plain = os.environ.get("HEDDLE_COMMAND"), os.environ["HEDDLE_PLAIN_PROGRAM"]
        if command and not has_sanitizer(plain):  # a runtime with a sanitizer in it is loaded into no program
            check_all(Whole(plain, command), source.stem, expectations)
    except Wrong as wrong:
        print(f"{source}: {wrong}")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
