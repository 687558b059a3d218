#!/usr/bin/env python3
"""Judges one program of tests/odd by the lines at the top of its source, under each isolation.

    check.py <program> <source> [--isolation <name>]

    // odd: <one sentence>     what is odd about it
    // expect: nothing         no bug is found: exit code 0
    // expect: bug: <text>     a bug whose first line has this text: exit code 2; a trace that is written replays
    // expect: refused: <text> heddle says this, and that it cannot: exit code 1
    // expect: … exit=<code>   another exit code than that
    // options: <words>        of `heddle run`; without it `--time 2 --executions 20`
    // arguments: <words>      of the program
    // environment: A=b …      variables of the program
    // limit: nofile=256 …     limits of the system, as in `ulimit`
    // input: open             standard input is a pipe that nobody writes to or closes
    // input: <text>           … a pipe that holds this text
    // says: <text>            is in what is printed; any number of such lines
    // never: <text>           is not
    // leaves: <names>         files that the program itself leaves in its folder
    // without: rewind <why>   an isolation that is left out
    // build: <flags>          for the compiler, or `instrumented`; read by CMake

Whatever the program does: the command ends within its time and five seconds, and when it has ended, no process of it and
no file but traces is left, and nothing was called a fault of heddle's.
"""

import concurrent.futures
import dataclasses
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import left_behind  # noqa: E402
from judge import BUG, NOTHING, WRONG_USE, Wrong, environment, lines_of, require  # noqa: E402

ISOLATIONS = ("auto", "fork", "prefix", "rewind")
DEFAULT_OPTIONS = ["--time", "2", "--executions", "20"]
AT_ONCE = 4  # they mostly wait
GRACE_SECONDS = 5  # promised: time plus this
WELL = re.compile(r"nothing found in|it ran once and ended well|was explored: none fails")


@dataclasses.dataclass
class Odd:
    kind: str = ""
    text: str = ""
    code: int = NOTHING
    options: list = dataclasses.field(default_factory=lambda: list(DEFAULT_OPTIONS))
    arguments: list = dataclasses.field(default_factory=list)
    environment: dict = dataclasses.field(default_factory=dict)
    limits: list = dataclasses.field(default_factory=list)
    input: str | None = None
    says: list = dataclasses.field(default_factory=list)
    never: list = dataclasses.field(default_factory=list)
    leaves: list = dataclasses.field(default_factory=list)
    without: list = dataclasses.field(default_factory=list)

    def seconds(self):
        return float(self.options[self.options.index("--time") + 1])


def read_expectation(odd, text):
    match = re.fullmatch(r"(nothing|bug|refused)(?:: (.*?))?(?: exit=(\d+))?", text)
    if not match or (match[1] == "nothing") == bool(match[2]):
        raise Wrong(f"`{text}` is no expectation: nothing, bug: <text> or refused: <text>")
    odd.kind, odd.text = match[1], match[2] or ""
    odd.code = int(match[3]) if match[3] else {"nothing": NOTHING, "bug": BUG, "refused": WRONG_USE}[odd.kind]


def pairs(text):
    return [word.split("=", 1) for word in shlex.split(text)]


def read(source):
    odd = Odd()

    def texts(word):
        return [text for _, text in lines_of(source, word)]

    require(len(texts("odd")) == 1 and len(texts("expect")) == 1, "it must have one line `// odd: …` and one `// expect: …`",
            source)
    read_expectation(odd, texts("expect")[0])
    for text in texts("options"):
        odd.options = shlex.split(text)
    if "--time" not in odd.options:
        odd.options += DEFAULT_OPTIONS[:2]
    odd.arguments = [word for text in texts("arguments") for word in shlex.split(text)]
    odd.environment = {name: value for text in texts("environment") for name, value in pairs(text)}
    odd.limits = [(name, int(value)) for text in texts("limit") for name, value in pairs(text)]
    odd.input = next(iter(texts("input")), None)
    odd.says, odd.never = texts("says"), texts("never")
    odd.leaves = [word for text in texts("leaves") for word in shlex.split(text)]
    odd.without = [text.split()[0] for text in texts("without")]
    return odd


def run(odd, words, place, at=None):
    """One command, with the input, limits and variables of the program."""
    reading, writing = os.pipe()
    try:
        if odd.input not in (None, "open"):
            os.write(writing, odd.input.encode())
        if odd.input != "open":
            os.close(writing)
        return left_behind.run([os.environ["HEDDLE_COMMAND"], *words], place, environment() | odd.environment,
                               odd.seconds() + GRACE_SECONDS, odd.limits,
                               subprocess.DEVNULL if odd.input is None else reading, at)
    finally:
        os.close(reading)
        if odd.input == "open":
            os.close(writing)


def words_of(odd, program, isolation):
    return ["run", *odd.options, "--isolation", isolation, "--", str(program), *odd.arguments]


def check_manners(odd, seen, place):
    require(seen.code is not None, f"no end after {seen.seconds:.1f} s, for a time of {odd.seconds()} s", seen.output)
    require(not seen.left, "it leaves behind: " + ", ".join(seen.left), seen.output)
    files = [str(path) for path in place.files() if path not in place.traces() and path.name not in odd.leaves]
    require(not files, "it leaves files behind: " + ", ".join(files), seen.output)
    require(seen.descriptors <= left_behind.DESCRIPTORS_MAX, f"it has {seen.descriptors} descriptors", seen.output)
    require(seen.processes <= left_behind.PROCESSES_MAX, f"it has {seen.processes} processes", seen.output)
    require("fault in heddle itself" not in seen.output, "it is called a fault of heddle's", seen.output)


def check_verdict(odd, seen, place):
    require(seen.code == odd.code, f"exit code {seen.code}, not {odd.code}", seen.output)
    if odd.kind == "nothing":
        require(WELL.search(seen.output), "it does not say that nothing was found", seen.output)
    if odd.kind == "bug":
        lines = [line for line in seen.output.splitlines() if line.startswith("BUG")]
        require(any(odd.text in line for line in lines), f"no bug with the text `{odd.text}`", seen.output)
    if odd.kind == "refused":
        require(odd.text in seen.output, f"`{odd.text}` is not in the output", seen.output)
    if odd.kind != "bug":
        require(not place.traces(), "a trace was written, of nothing", seen.output)
    for text in odd.says:
        require(text in seen.output, f"`{text}` is not in the output", seen.output)
    for text in odd.never:
        require(text not in seen.output, f"`{text}` is in the output", seen.output)


def check_replays(odd, place):
    for trace in place.traces():
        seen = run(odd, ["replay", str(trace)], place)
        check_manners(odd, seen, place)
        require(seen.code == BUG and "BUG again" in seen.output, f"the replay of {trace.name} is not that bug", seen.output)


def check(odd, program, isolation):
    left_behind.become_subreaper()
    with tempfile.TemporaryDirectory() as folder:
        place = left_behind.Place(folder)
        seen = run(odd, words_of(odd, program, isolation), place)
        check_manners(odd, seen, place)
        check_verdict(odd, seen, place)
        if isolation == "auto":
            check_replays(odd, place)


def check_each(odd, program, source):
    """All isolations at once, each in a process that sees its own strays alone."""

    def check_one(name):
        return name, subprocess.run([sys.executable, __file__, program, source, "--isolation", name], text=True,
                                    stdout=subprocess.PIPE, check=False)

    with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
        done = list(pool.map(check_one, [name for name in ISOLATIONS if name not in odd.without]))
    wrong = [f"with --isolation {name}: {one.stdout}" for name, one in done if one.returncode != 0]
    if wrong:
        raise Wrong("\n".join(wrong))


def main():
    program, source = sys.argv[1], pathlib.Path(sys.argv[2])
    try:
        odd = read(source)
        if "--isolation" in sys.argv:
            check(odd, program, sys.argv[sys.argv.index("--isolation") + 1])
        else:
            check_each(odd, program, source)
    except Wrong as wrong:
        print(wrong if "--isolation" in sys.argv else f"{source}: {wrong}")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
