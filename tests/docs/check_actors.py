#!/usr/bin/env python3
"""Does what docs/actors.md tells a newcomer, and looks whether it comes out as the page says.

    check_actors.py <page> --include <folder> --libraries <folder> --compiler <c++>

The blocks of C++ under a line "`name`:" are written to files of that name. The test must find the bug; with the line that
the page adds to `count` it must find nothing; and the program for production must end with exit code 0.
"""

import argparse
import pathlib
import re
import subprocess
import sys
import tempfile

BUG, NOTHING = 2, 0
MESSAGE = "a transfer was committed here and aborted there"


def blocks_of(page):
    return {name: code for name, code in re.findall(r"^`([\w.]+)`:\n\n```cpp\n(.*?)^```", page, re.MULTILINE | re.DOTALL)}


def fixing_line_of(page):
    found = re.search(r"^`commit.hpp`, at the beginning of `count`:\n\n```cpp\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    return found.group(1)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("page", type=pathlib.Path)
    for name in ("include", "libraries", "compiler"):
        parser.add_argument(f"--{name}", required=True)
    options = parser.parse_args()
    page = options.page.read_text(encoding="utf-8")

    def build_and_run(folder, source, libraries):
        program = folder / source.replace(".cpp", "")
        subprocess.run([options.compiler, "-std=c++20", "-g", "-O1", f"-I{options.include}", folder / source, "-o", program,
                        f"-L{options.libraries}", f"-Wl,-rpath,{options.libraries}", *libraries, "-pthread"], check=True)
        return subprocess.run([program], cwd=folder, capture_output=True, text=True, timeout=300, check=False)

    def require(holds, what, seen):
        if not holds:
            print(f"{what}: exit code {seen.returncode}\n{seen.stdout}{seen.stderr}")
            sys.exit(1)

    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        for name, code in blocks_of(page).items():
            (folder / name).write_text(code, encoding="utf-8")
        seen = build_and_run(folder, "test.cpp", ["-lheddle_actor", "-lheddle"])
        require(seen.returncode == BUG and MESSAGE in seen.stdout + seen.stderr, "the test does not find the bug", seen)
        require((folder / "test.1.trace").exists(), "there is no trace", seen)
        start = "  void count(const Vote& vote) {\n"
        header = folder / "commit.hpp"
        text = header.read_text(encoding="utf-8")
        require(start in text, "commit.hpp has no `count`", seen)
        header.write_text(text.replace(start, start + fixing_line_of(page)), encoding="utf-8")
        seen = build_and_run(folder, "test.cpp", ["-lheddle_actor", "-lheddle"])
        require(seen.returncode == NOTHING, "the test of the mended protocol", seen)
        seen = build_and_run(folder, "main.cpp", ["-lheddle_actor"])
        require(seen.returncode == NOTHING and re.search(r"\d+ events", seen.stdout), "production", seen)
    return 0


if __name__ == "__main__":
    sys.exit(main())
