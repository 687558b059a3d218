#!/usr/bin/env python3
"""The style guide as a test: prints `file:line: message` for every breach and exits 1 if there is one.

One function a rule. A rule about a file takes it and yields (line, message); RULES lists them. With --format it
formats every source file in place instead.
"""

import concurrent.futures
import dataclasses
import os
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
SOURCE_FOLDERS = ("src", "include", "tests", "bench", "examples")
SOURCE_SUFFIXES = (".cpp", ".hpp", ".c", ".h")
CLANG_FORMAT = "clang-format-14"
LINES_MAX = 700
COLUMNS_MAX = 120


def read_layers():
    """Which folders of src/ a folder may include: src/layers.txt, which CMake links by."""
    table = {}
    for line in (ROOT / "src" / "layers.txt").read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            layer, below = line.split(":")
            table[layer] = {layer, *below.replace("|", " ").split()}
    return table


MAY_INCLUDE = read_layers()


@dataclasses.dataclass
class Source:
    path: pathlib.PurePath  # relative to the root
    lines: list[str]

    @property
    def area(self):
        """src, include, tests, bench or examples."""
        return self.path.parts[0]

    @property
    def layer(self):
        """The folder of src/ that the file is in, if it is in one."""
        return self.path.parts[1] if self.area == "src" and len(self.path.parts) > 2 else None

    def matches(self, pattern):
        """(line number, match) of every line in which the pattern is found."""
        found = ((number, re.search(pattern, line)) for number, line in enumerate(self.lines, 1))
        return [(number, match) for number, match in found if match]


# --- rules about one source file ---------------------------------------------------------------------------------


def includes_only_allowed_layers(source):
    if source.area == "src" and source.layer not in MAY_INCLUDE:
        yield 1, "belongs to no layer: see src/layers.txt"
        return
    allowed = {"src": MAY_INCLUDE.get(source.layer, set()), "include": set()}.get(source.area)
    if allowed is None:
        return
    for number, match in source.matches(r'^\s*#\s*include\s*(["<])([^">]+)[">]'):
        quoted, target = match[1] == '"', match[2]
        folder = target.split("/")[0] if "/" in target else None
        if folder in MAY_INCLUDE and folder not in allowed:
            yield number, f"{source.layer or source.area} may not include {folder}"
        elif quoted and folder not in MAY_INCLUDE and folder != "heddle":
            yield number, f'"{target}" must be included by its path from src/'


def has_no_stray_blanks(source):
    for number, _ in source.matches(r"\s$"):
        yield number, "trailing whitespace"
    for number, _ in source.matches(r"\t"):
        yield number, "tab"


def has_limited_size(source):
    if len(source.lines) > LINES_MAX:
        yield LINES_MAX + 1, f"{len(source.lines)} lines; a file has at most {LINES_MAX}"
    for number, line in enumerate(source.lines, 1):
        if len(line) > COLUMNS_MAX:
            yield number, f"{len(line)} columns; a line has at most {COLUMNS_MAX}"


def leaves_nothing_for_later(source):
    for number, match in source.matches(r"\b(TODO|FIXME|XXX)\b"):
        yield number, f"{match[1]}: do it, or write it into the limits"


def takes_randomness_from_outside(source):
    if source.area != "src":
        return
    for number, match in source.matches(r"std::rand\b|std::mt19937|#\s*include\s*<random>"):
        yield number, f"{match[0]}: use base/random.hpp, which reproduces everywhere"


def keeps_the_processor_apart(source):
    """What only one processor has is in base/arch/, behind functions whose names every processor could have. A name for
    the linker, made of a macro's argument, is not of that kind."""
    if source.area != "src" or source.path.parts[1:3] == ("base", "arch"):
        return
    registers = r"\bREG_R[A-Z0-9]+\b|\buc_mcontext\b|\b__jmpbuf\b"
    constants = r"\bEM_X86_64\b|\bR_X86_64_|\bARCH_SET_FS\b|__x86_64__|__aarch64__"
    for number, match in source.matches(
        rf"\b(?:__)?asm(?:__)?\b\s*(?:volatile\b\s*)?\((?!\s*\\?\s*#)|\b__builtin_ia32_|\b_mm\d*_|\b__m\d+i?\b"
        rf"|#\s*include\s*<(?:\w*intrin\.h|asm/)|{registers}|{constants}"
    ):
        yield number, f"{match[0].strip()}: what depends on the processor is in src/base/arch/"


def has_pragma_once(source):
    if source.path.suffix in (".hpp", ".h") and "#pragma once" not in source.lines:
        yield 1, "header without #pragma once"


RULES = (
    includes_only_allowed_layers,
    has_no_stray_blanks,
    has_limited_size,
    leaves_nothing_for_later,
    takes_randomness_from_outside,
    keeps_the_processor_apart,
    has_pragma_once,
)

# --- rules about many files --------------------------------------------------------------------------------------


def run_clang_format(paths, *arguments):
    """Runs clang-format over all paths, a share for each processor, and returns what it said."""
    workers = os.cpu_count() or 1
    shares = [paths[start::workers] for start in range(workers) if paths[start::workers]]

    def run(share):
        command = [CLANG_FORMAT, *arguments, *map(str, share)]
        return subprocess.run(command, cwd=ROOT, stderr=subprocess.PIPE, text=True).stderr

    with concurrent.futures.ThreadPoolExecutor(workers) as pool:
        return "".join(pool.map(run, shares))


def is_formatted(paths):
    if not shutil.which(CLANG_FORMAT):
        print(f"tidy: no {CLANG_FORMAT} here, so the formatting is not checked", file=sys.stderr)
        return
    seen = set()  # one line a file is enough: `make format` mends them all
    for match in re.finditer(r"^([^:\n]+):(\d+):\d+: error: ", run_clang_format(paths, "--dry-run", "-Werror"), re.M):
        if match[1] not in seen:
            seen.add(match[1])
            yield match[1], int(match[2]), "not formatted: run make format"


def without_code(markdown_lines):
    """The lines with fenced blocks and inline code blanked out, so that a lambda is not taken for a link."""
    fenced = False
    for line in markdown_lines:
        fence = line.lstrip().startswith("```")
        yield "" if fenced or fence else re.sub(r"`[^`]*`", "", line)
        fenced ^= fence


def has_live_links(documents):
    link = re.compile(r"\]\(<?([^)\s>]+)|^\s*\[[^\]]+\]:\s*(\S+)")
    for path in documents:
        lines = (ROOT / path).read_text(encoding="utf-8").splitlines()
        for number, line in enumerate(without_code(lines), 1):
            for match in link.finditer(line):
                target = (match[1] or match[2]).split("#")[0]
                if not target or re.match(r"[a-z][a-z0-9+.-]*:", target):
                    continue
                if not ((ROOT / path).parent / target).exists():
                    yield path, number, f"link to {target}, which does not exist"


def quotes_its_source(documents):
    """A fenced block after `<!-- from FILE -->` stands in that file, line by line."""
    marker = re.compile(r"<!-- from (\S+) -->")
    for path in documents:
        lines = (ROOT / path).read_text(encoding="utf-8").splitlines()
        for number, line in enumerate(lines, 1):
            match = marker.fullmatch(line.strip())
            if not match:
                continue
            end = next(i for i in range(number + 1, len(lines)) if lines[i].startswith("```"))
            block = "\n".join(lines[number + 1:end])
            if block not in (ROOT / match[1]).read_text(encoding="utf-8"):
                yield path, number, f"the block is not in {match[1]} as it stands here"


# --- the whole ---------------------------------------------------------------------------------------------------


def source_paths():
    paths = (path for folder in SOURCE_FOLDERS for path in (ROOT / folder).rglob("*"))
    return sorted(path.relative_to(ROOT) for path in paths if path.suffix in SOURCE_SUFFIXES and path.is_file())


def document_paths():
    paths = [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]
    return sorted(path.relative_to(ROOT) for path in paths if path.is_file())


def breaches():
    paths = source_paths()
    for path in paths:
        source = Source(path, (ROOT / path).read_text(encoding="utf-8").split("\n"))
        if source.lines[-1] == "":
            source.lines.pop()
        for rule in RULES:
            for number, message in rule(source):
                yield path, number, message
    yield from is_formatted(paths)
    yield from has_live_links(document_paths())
    yield from quotes_its_source(document_paths())


def main():
    if sys.argv[1:] == ["--format"]:
        print(run_clang_format(source_paths(), "-i"), end="", file=sys.stderr)
        return 0
    lines = [f"{path}:{number}: {message}" for path, number, message in breaches()]
    print("\n".join(lines), end="\n" if lines else "")
    return 1 if lines else 0


if __name__ == "__main__":
    sys.exit(main())
