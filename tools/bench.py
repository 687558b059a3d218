#!/usr/bin/env python3
"""Runs every benchmark of a build folder, prints what they measured and merges it into <build>/bench.json.

A benchmark is a program <build>/bench/<name> that, called with `--json <file>`, writes an array of
{"name", "value", "unit"}; a ratio also says in "to" what it is relative to.
"""

import json
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent


def benchmark_names():
    return sorted(path.name.removesuffix("_bench.cpp") for path in (ROOT / "bench").glob("*_bench.cpp"))


def measure(build, name):
    """The rows of one benchmark, or None if it failed."""
    output = build / f"bench-{name}.json"
    output.unlink(missing_ok=True)
    print(f"bench: {name}", flush=True)
    try:
        subprocess.run([build / "bench" / name, "--json", output], check=True)
        return json.loads(output.read_text())
    except (subprocess.CalledProcessError, OSError, json.JSONDecodeError) as error:
        print(f"bench: {name} failed: {error}", file=sys.stderr)
        return None


def cells(row):
    return [row["name"], f"{row['value']:,.4g}" if row["value"] < 1000 else f"{row['value']:,.0f}",
            row["unit"], row.get("to", "")]


def print_table(rows):
    lines = [["name", "value", "unit", "to"]] + [cells(row) for row in rows]
    widths = [max(len(line[column]) for line in lines) for column in range(4)]
    for name, value, unit, to in lines:
        print(f"{name:<{widths[0]}}  {value:>{widths[1]}}  {unit:<{widths[2]}}  {to}".rstrip())


def main():
    build = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "build").resolve()
    names = benchmark_names()
    if not names:
        print("no benchmarks: add one as bench/<name>_bench.cpp")
    results = [measure(build, name) for name in names]
    rows = [row for result in results if result is not None for row in result]
    (build / "bench.json").write_text(json.dumps(rows, indent=2) + "\n")
    if rows:
        print()
        print_table(rows)
    return 1 if None in results else 0


if __name__ == "__main__":
    sys.exit(main())
