#!/usr/bin/env python3
"""The default portfolio against the best single strategy, for every program with a bug in tests/ and examples/.

    portfolio_bench.py <build> [--trials 20] [--only <regex>] [--json <file>]

Each program is explored under the portfolio with the seeds 1 to n, until the bug or for 10,000 executions. The best
strategy for a program is the one of `heddle strategies` with the lowest mean over the same seeds, where an exploration
that found nothing counts 10,000; a strategy is given up as soon as its sum is above that of the best so far, so its mean
is known only if it is the best. The ratio is that of the geometric means over all programs: a program whose bug every
first execution shows counts 1.
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
    print(f"{'program':44}{'portfolio':>10}{'found':>9}{'best':>10}{'ratio':>8}  by", flush=True)
    logarithms, every = [], 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        results = pool.map(lambda program: measure(program, strategies, options.trials), programs)
        for program, (mean, found, best, best_mean) in zip(programs, results):
            logarithms.append(math.log(mean / best_mean))
            every += found == options.trials
            print(f"{program.name:44}{mean:10,.1f}{found:6}/{options.trials}{best_mean:10,.1f}{mean / best_mean:8.2f}  {best}",
                  flush=True)
    ratio = math.exp(sum(logarithms) / len(logarithms))
    print(f"{every} of {len(programs)} bugs found in every one of {options.trials} trials; portfolio over best {ratio:.2f}")
    if options.json:
        rows = [{"name": "search/found_all", "value": every / len(programs), "unit": "ratio", "to": "programs with a bug"},
                {"name": "search/portfolio_over_best", "value": ratio, "unit": "ratio", "to": "best strategy for each program"}]
        options.json.write_text(json.dumps(rows, indent=2) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
