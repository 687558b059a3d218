#!/usr/bin/env python3
"""The default portfolio against the best single strategy, for every program with a bug in tests/ and examples/.

    portfolio_bench.py <build> [--trials 20] [--only <regex>] [--json <file>]

Each program is explored under the portfolio with the seeds 1 to n, until the bug or for 10,000 executions. The best
strategy for a program is the one of `heddle strategies` with the lowest mean over the same seeds, where an exploration
that found nothing counts 10,000; a strategy is given up as soon as its sum is above that of the best so far, so its mean
is known only if it is the best. The ratio is that of the geometric means over the programs of a half: a program whose
bug every first execution shows counts 1. Parameters of the portfolio are chosen by the tuned half alone (bench/split.txt),
so only the held half says how well it does.
"""

import argparse
import concurrent.futures
import json
import math
import os
import pathlib
import re
import subprocess
import sys
import tempfile

EXECUTIONS = 10_000
SECONDS = 600
SPLIT = pathlib.Path(__file__).resolve().parent / "split.txt"
FOUND = re.compile(r"BUG (?:in the first execution|after ([\d,]+) executions?)")
NOTHING, BUG = 0, 2


class Program:
    """One that a test expects a bug in, and how it is explored."""

    def __init__(self, name, command, options, environment):
        self.name, self.command, self.options, self.environment = name, command, options, environment

    def executions_to_bug(self, strategy, seed, budget):
        """None: not found within the budget."""
        variables = {name: value for name, value in os.environ.items() if not name.startswith("HEDDLE_")}
        settings = {"STRATEGY": strategy, "SEED": seed, "EXECUTIONS": budget}
        command = [str(word) for word in self.command]
        with tempfile.TemporaryDirectory() as directory:
            if self.options is None:
                variables |= {f"HEDDLE_{name}": str(value) for name, value in settings.items()}
            else:
                words = [word for name, value in settings.items() for word in (f"--{name.lower()}", str(value))]
                command = [self.environment["HEDDLE_COMMAND"], "run", *words, *self.options, "--", *command]
            done = subprocess.run(command, cwd=directory, env=variables, stdin=subprocess.DEVNULL, text=True, errors="replace",
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=SECONDS, check=False)
        found = FOUND.search(done.stdout)
        if done.returncode not in (NOTHING, BUG) or (done.returncode == BUG) != bool(found):
            raise RuntimeError(f"{self.name} under {strategy}, seed {seed}: exit code {done.returncode}\n{done.stdout}")
        return int((found[1] or "1").replace(",", "")) if found else None


def programs_of(build):
    """Those whose source expects a bug under the defaults."""
    listed = subprocess.run(["ctest", "--test-dir", build, "--show-only=json-v1", "-R", "^(programs|lockfree)/buggy/"],
                            check=True, capture_output=True, text=True)
    for test in json.loads(listed.stdout)["tests"]:
        variables = {entry["name"]: entry["value"] for entry in test["properties"]}.get("ENVIRONMENT", [])
        environment = dict(variable.split("=", 1) for variable in variables)
        program, source = (pathlib.Path(word) for word in test["command"][2:4])
        name = test["name"].replace("buggy/", "")
        text = source.read_text(encoding="utf-8")
        if test["name"].startswith("lockfree/"):
            yield Program(name, [program], [], environment)
            if re.search(r"^// expect: promoted=", text, re.MULTILINE):
                yield Program(f"{name} (races promoted)", [program], ["--races", "promote"], environment)
        elif any("verdict=" in line and "strategy=" not in line and "sanitizer=" not in line
                 for line in re.findall(r"^// expect: (.*)", text, re.MULTILINE)):
            if "#include <heddle/" in text:
                yield Program(name, [program], None, environment)
            else:
                yield Program(name, [environment["HEDDLE_PLAIN_PROGRAM"]], [], environment)
    protocol = build / "tests" / "protocol"
    for name in subprocess.run([protocol], check=True, capture_output=True, text=True).stdout.split():
        yield Program(f"protocols/{name}", [protocol, name], None, {})


def strategies_of(build):
    listed = subprocess.run([build / "bin" / "heddle", "strategies"], check=True, capture_output=True, text=True)
    return [name for name in re.findall(r"^(\w+)  ", listed.stdout, re.MULTILINE) if name != "portfolio"]


def measure(program, strategies, trials):
    """(portfolio's mean, in how many trials it found the bug, the best strategy, its mean)"""
    found = [program.executions_to_bug("portfolio", seed, EXECUTIONS) for seed in range(1, trials + 1)]
    portfolio = sum(EXECUTIONS if each is None else each for each in found)
    best, best_sum = "none finds it", trials * EXECUTIONS
    for strategy in strategies:
        if best_sum == trials:
            break  # it is there in every first execution
        total = 0
        for seed in range(1, trials + 1):
            budget = min(EXECUTIONS, best_sum - total - (trials - seed))
            if budget <= 0:
                break
            total += program.executions_to_bug(strategy, seed, budget) or budget + 1
        if total < best_sum and seed == trials:
            best, best_sum = strategy, total
    return portfolio / trials, sum(each is not None for each in found), best, best_sum / trials


class Half:
    """The programs of one half, or of both."""

    def __init__(self, name):
        self.name, self.logarithms, self.every = name, [], 0

    def add(self, ratio, is_found_always):
        self.logarithms.append(math.log(ratio))
        self.every += is_found_always

    def ratio(self):
        return math.exp(sum(self.logarithms) / len(self.logarithms))

    def worst(self):
        return math.exp(max(self.logarithms))

    def text(self, trials):
        return (f"{self.name}: {self.every} of {len(self.logarithms)} bugs found in every one of {trials} trials; portfolio over "
                f"best {self.ratio():.2f}, at worst {self.worst():.1f}")

    def rows(self):
        prefix = "" if self.name == "all" else f"{self.name}_"
        best = "best strategy for each program"
        return [{"name": f"search/{prefix}found_all", "value": self.every / len(self.logarithms), "unit": "ratio",
                 "to": "programs with a bug"},
                {"name": f"search/{prefix}portfolio_over_best", "value": self.ratio(), "unit": "ratio", "to": best},
                {"name": f"search/{prefix}portfolio_over_best_at_worst", "value": self.worst(), "unit": "ratio", "to": best}]


def tuned_programs():
    """The names in bench/split.txt."""
    lines = SPLIT.read_text(encoding="utf-8").splitlines()
    return {line for line in lines if line and not line.startswith("#")}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--trials", type=int, default=20)
    parser.add_argument("--only", default="", help="programs whose name matches")
    parser.add_argument("--json", type=pathlib.Path)
    options = parser.parse_args()
    build = options.build.resolve()
    programs = [program for program in programs_of(build) if re.search(options.only, program.name)]
    if not programs:
        print(f"no program of {build} matches", file=sys.stderr)
        return 1
    strategies = strategies_of(build)
    tuned = tuned_programs()
    halves = {name: Half(name) for name in ("tuned", "held", "all")}
    print(f"{'program':44}{'half':7}{'portfolio':>10}{'found':>9}{'best':>10}{'ratio':>8}  by", flush=True)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        results = pool.map(lambda program: measure(program, strategies, options.trials), programs)
        for program, (mean, found, best, best_mean) in zip(programs, results):
            half = "tuned" if program.name in tuned else "held"
            for name in (half, "all"):
                halves[name].add(mean / best_mean, found == options.trials)
            print(f"{program.name:44}{half:7}{mean:10,.1f}{found:6}/{options.trials}{best_mean:10,.1f}"
                  f"{mean / best_mean:8.2f}  {best}", flush=True)
    measured = [half for half in halves.values() if half.logarithms]
    for half in measured:
        print(half.text(options.trials))
    if options.json:
        options.json.write_text(json.dumps([row for half in measured for row in half.rows()], indent=2) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
