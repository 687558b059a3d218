"""What the scripts that judge programs share: how one says what is wrong, exit codes, and a clean environment."""

import os
import re

NOTHING, WRONG_USE, BUG = 0, 1, 2  # exit codes of heddle


class Wrong(Exception):
    """What is not as expected, for a person."""


def require(holds, what, seen):
    if not holds:
        raise Wrong(f"{what}\n--- seen:\n{seen}")


def environment(**variables):
    """That of this process with the HEDDLE_ variables given and no others."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith("HEDDLE_")}
    return clean | {f"HEDDLE_{name.upper()}": str(value) for name, value in variables.items()}


def lines_of(source, word):
    """(number, text) of each line `// <word>: <text>` of a source file."""
    lines = source.read_text(encoding="utf-8").splitlines()
    return [(number, match[1]) for number, line in enumerate(lines, 1) if (match := re.match(rf"// {word}: (.*)", line))]
