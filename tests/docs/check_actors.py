#!/usr/bin/env python3
"""Does what docs/actors.md tells a newcomer, and looks whether it comes out as the page says.

    check_actors.py <page> --include <folder> --libraries <folder> --compiler <c++> --command <heddle>

The blocks of C++ under a line "`name`:" are written to files of that name. The test must find the bug; with the line that
the page adds to `count` it must find nothing; and the program for production must end with exit code 0. What the page
says that the test finds, it must say; and `heddle chart` must show the messages of the trace, and say what is wrong where it
cannot write.
"""

import argparse
import pathlib
import re
import subprocess
import sys
import tempfile

BUG, WRONG_USE, NOTHING = 2, 1, 0


def blocks_of(page):
    return {name: code for name, code in re.findall(r"^`([\w.]+)`:\n\n```cpp\n(.*?)^```", page, re.MULTILINE | re.DOTALL)}


def message_of(page):
    return re.search(r"^```\n(Atomicity in state .*)\n```", page, re.MULTILINE).group(1)


def fixing_line_of(page):
    found = re.search(r"^`commit.hpp`, at the beginning of `count`:\n\n```cpp\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    return found.group(1)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("page", type=pathlib.Path)
    for name in ("include", "libraries", "compiler", "command"):
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
        require(seen.returncode == BUG and message_of(page) in seen.stdout + seen.stderr, "the test does not find the bug", seen)
        traces = list(folder.glob("test.*.trace"))
        require(len(traces) == 1, "there is no trace", seen)
        chart = ["chart", traces[0]]
        seen = subprocess.run([options.command, *chart], capture_output=True, text=True, check=False)
        for name in ("Coordinator(3)", "├", " Prepare ", "[Voting]", "● Vote", "✗ specification"):
            require(seen.returncode == NOTHING and name in seen.stdout, f"the chart has no `{name}`", seen)
        seen = subprocess.run([options.command, *chart, "--svg", folder / "bug.svg"], capture_output=True, text=True, check=False)
        require(seen.returncode == NOTHING and (folder / "bug.svg").read_text().endswith("</svg>\n"), "no picture", seen)
        seen = subprocess.run([options.command, *chart, "--svg", "/no/such/bug.svg"], capture_output=True, text=True, check=False)
        require(seen.returncode == WRONG_USE and seen.stderr == "heddle: cannot write /no/such/bug.svg\n", "a bad path", seen)
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
