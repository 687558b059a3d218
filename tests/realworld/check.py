#!/usr/bin/env python3
"""Explores a real program that nobody changed, and checks that heddle finds nothing in it.

    check.py <name> --executions <n> [--seconds <s>] [--programs <folder>]

The program is run free once. Then `heddle run` explores it under random schedules: nothing may be found, no execution may
stand still, every execution must write what the free run wrote, and no process and no file may be left. The same seed
again must give the same schedules; of a program that cannot be repeated, the summary must say so, and why. With --seconds
the explorations end after that time, even if fewer executions were run. programs.py lists the names.
"""

import argparse
import contextlib
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import clients  # noqa: E402
import left_behind  # noqa: E402
from judge import Wrong, environment  # noqa: E402
from programs import PROGRAMS  # noqa: E402

SOURCES = pathlib.Path(__file__).resolve().parent
FREE_SECONDS = 60
BUILD_SECONDS = 300
SECONDS_EACH = 2  # of one execution, on average, on a machine that does other things as well
SECONDS_MORE = 60  # than it was given; heddle promises five on a machine that does nothing else


class Setting:
    """A program in a folder of its own, with its input."""

    def __init__(self, program, folder, programs):
        self.program, self.folder, self.programs = program, folder, programs
        self.work = folder / "work"  # the current folder
        self.work.mkdir()
        self.require_installed()
        source = folder / "input"
        if program.prepare:
            program.prepare(source)
        if program.make_input:
            source.write_bytes(program.make_input())
        if program.words_before:
            source.write_bytes(self.run(self.fill(program.words_before), FREE_SECONDS).stdout)
        if program.build:
            output = ["-o", "{built}"] if "{built}" in program.words else []
            seen = self.run(self.fill(program.build + output), BUILD_SECONDS)
            require(seen.returncode == 0, f"it cannot be built; does {program.packages} have what it needs?", seen)
        self.words = self.fill(program.words)

    def require_installed(self):
        if shutil.which("dpkg-query"):
            for package in self.program.packages.split():
                seen = subprocess.run(["dpkg-query", "-W", "-f", "${db:Status-Status}", package], capture_output=True,
                                      check=False)
                if seen.stdout != b"installed":
                    raise Wrong(f"the package {package} is not installed: `tools/setup.sh soak` installs it")
        command = self.program.words[0]
        if "{" not in command and not shutil.which(command):
            raise Wrong(f"there is no {command}: install what Debian calls {self.program.packages}")

    def fill(self, words):
        return [word.format(input=self.folder / "input", place=self.folder, sources=SOURCES, programs=self.programs,
                            built=self.folder / "built") for word in words]

    def run(self, words, seconds):
        variables = environment() | {"LC_ALL": "C", "TMPDIR": str(self.folder)} | self.program.variables
        source = self.fill([self.program.reads])[0] or os.devnull
        with open(source if pathlib.Path(source).exists() else os.devnull, "rb") as reads:
            try:
                return subprocess.run(words, stdin=reads, capture_output=True, timeout=seconds, cwd=self.work,
                                      env=variables, check=False)
            except subprocess.TimeoutExpired as expired:
                errors = (expired.stderr or b"").decode(errors="replace")
                raise Wrong(f"no end within {seconds} s: {' '.join(words)}\n{errors}") from expired

    def comparable(self, output):
        if not self.program.comparable:
            return output
        return subprocess.run(["sh", "-c", self.program.comparable], input=output, capture_output=True, check=True,
                              timeout=FREE_SECONDS, cwd=self.work, env=os.environ | {"TMPDIR": str(self.folder)}).stdout

    def files(self):
        return {path.relative_to(self.folder) for path in self.work.rglob("*")}

    def sessions(self):
        """With the client of a server; nothing for others."""
        if not self.program.client:
            return contextlib.nullcontext()
        return clients.Sessions(self.folder / "socket", self.program.client)


def require(holds, what, seen):
    if not holds:
        raise Wrong(f"{what}\n--- standard error:\n{seen.stderr.decode(errors='replace')}")


def run_free(setting):
    with setting.sessions() as sessions:
        seen = setting.run(setting.words, FREE_SECONDS)
    require(seen.returncode == 0, f"run free it exits with {seen.returncode}", seen)
    require(not sessions or sessions.answered == 1, "run free it did not answer its client", seen)
    return setting.comparable(seen.stdout)


def judge_output(setting, expected):
    """The options by which heddle compares the output of each execution; that of a server is what its client was told."""
    if setting.program.client:
        return []
    if setting.program.comparable:
        return ["--oracle", f"({setting.program.comparable}) | cmp - {expected}"]
    return ["--same-output", "--oracle", f"cmp - {expected}"]


def check_sessions(sessions, executions, seen):
    require(not sessions.wrong, f"the client got another answer than expected: {sessions.wrong[:1]}", seen)
    # Each execution has one; the last may have been ended before it had. Trials of heddle have some more.
    require(sessions.answered >= executions - 1, f"{sessions.answered} sessions in {executions} executions", seen)


def explore(setting, executions, seconds, name):
    """The lines of the list of schedules."""
    listed, told = setting.folder / f"schedules.{name}", setting.folder / f"{name}.json"
    bound = ["-n", str(executions)] + (["--time", str(seconds)] if seconds else [])
    files_before = setting.files()
    command = [os.environ["HEDDLE_COMMAND"], "run", "--strategy", "random", "--seed", "1", *bound,
               *judge_output(setting, setting.folder / "expected"), *setting.program.options,
               "--list-schedules", str(listed), "--json", str(told), "--"]
    with setting.sessions() as sessions:
        seen = setting.run(command + setting.words, SECONDS_MORE + (seconds or SECONDS_EACH * executions))
    left = left_behind.wait_until_alone(0)
    require(not left, f"a process is left: {', '.join(map(str, left))}", seen)
    require(seen.returncode == 0, f"exit code {seen.returncode}, not 0", seen)
    require(setting.files() == files_before, f"files are left: {setting.files() - files_before}", seen)
    errors = seen.stderr.decode(errors="replace")
    require("nothing found" in errors, "it does not say that nothing was found", seen)
    if not (setting.program.unrepeatable and setting.program.unrepeatable in errors):
        require(not setting.program.unrepeatable, f"it does not say `{setting.program.unrepeatable}`", seen)
        require("control is partial" not in errors, "control is partial", seen)
    found = listed.read_text(encoding="utf-8").splitlines()
    summary = json.loads(told.read_text(encoding="utf-8"))
    is_over = len(found) < executions
    require(not is_over or (seconds and summary["seconds"] >= seconds - 5), f"only {len(found)} schedules", seen)
    require(summary["cut"] == 0, f"{summary['cut']} executions were cut", seen)
    ended = 1 if is_over or (seconds and summary["seconds"] >= seconds) else 0  # the one in which the time was over
    require(summary["ended"] <= ended, f"{summary['ended']} executions had to be ended", seen)
    passed = [line for line in found if line.endswith(" passed")]
    require(len(passed) >= len(found) - ended, f"only {len(passed)} of {len(found)} executions passed", seen)
    if sessions:
        check_sessions(sessions, len(passed), seen)
    return passed


def check_distinct(found, share):
    distinct = len({line.split()[2] for line in found})
    if distinct < share * len(found):
        raise Wrong(f"only {distinct} of {len(found)} schedules are different: are there threads?")


def check_same(first, second):
    for one, other in zip(first, second):
        if one != other:
            raise Wrong(f"the same seed gave another schedule: `{one}`, then `{other}`")


def check(program, executions, seconds, programs):
    """Returns how many executions were run."""
    with tempfile.TemporaryDirectory() as temporary:
        setting = Setting(program, pathlib.Path(temporary), programs)
        (setting.folder / "expected").write_bytes(run_free(setting))
        if program.unrepeatable:
            found = explore(setting, executions, seconds, "first")
        else:
            found = explore(setting, executions, seconds * 2 // 3, "first")
            check_same(found, explore(setting, len(found), seconds // 3, "second"))
        check_distinct(found, program.distinct)
        return len(found)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("name", choices=sorted(PROGRAMS))
    parser.add_argument("--executions", type=int, required=True)
    parser.add_argument("--seconds", type=int, default=0, help="of both explorations; 0: as long as it takes")
    parser.add_argument("--programs", type=pathlib.Path, default=pathlib.Path("."))
    options = parser.parse_args()
    left_behind.become_subreaper()
    try:
        program = PROGRAMS[options.name]
        count = check(program, options.executions, options.seconds, options.programs.resolve())
    except Wrong as wrong:
        print(f"{options.name}: {wrong}")
        return 1
    print(f"{options.name}: nothing found in {count} executions")
    return 0


if __name__ == "__main__":
    sys.exit(main())
