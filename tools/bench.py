#!/usr/bin/env python3
"""Runs every benchmark of a build folder, prints what they measured and merges it into <build>/bench.json.

A benchmark is a program <build>/bench/<name>, made of bench/<name>_bench.cpp, or a script bench/<name>_bench.py that is
given the build folder. Called with `--json <file>`, it writes an array of {"name", "value", "unit"}; a ratio also says in
"to" what it is relative to.
"""

import json
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent


def benchmarks(build):
    """(name, command) of each."""
    for path in sorted((ROOT / "bench").glob("*_bench.*")):
        name = path.stem.removesuffix("_bench")
        yield name, [sys.executable, path, build] if path.suffix == ".py" else [build / "bench" / name]


def measure(build, name, command):
    """The rows of one benchmark, or None if it failed."""
    output = build / f"bench-{name}.json"
    output.unlink(missing_ok=True)
    print(f"bench: {name}", flush=True)
    try:
        subprocess.run([*command, "--json", output], check=True)
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
    results = [measure(build, name, command) for name, command in benchmarks(build)]
    rows = [row for result in results if result is not None for row in result]
    (build / "bench.json").write_text(json.dumps(rows, indent=2) + "\n")
    if rows:
        print()
        print_table(rows)
    return 1 if None in results else 0


if __name__ == "__main__":
    sys.exit(main())
