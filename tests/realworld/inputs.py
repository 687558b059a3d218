"""The inputs of the real programs, the same on every machine."""

import os
import pathlib
import random
import subprocess

FRAME_WIDTH, FRAME_HEIGHT, FRAMES = 64, 48, 8

GIT_VARIABLES = {
    "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull,
    "GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@example.org", "GIT_AUTHOR_DATE": "2020-01-01T00:00:00Z",
    "GIT_COMMITTER_NAME": "a", "GIT_COMMITTER_EMAIL": "a@example.org", "GIT_COMMITTER_DATE": "2020-01-01T00:00:00Z",
}


def text(size):
    """Compresses well, but not to nothing."""
    draw = random.Random(1)
    words = [bytes(draw.choices(b"etaoinshrdlu", k=draw.randint(2, 9))) for _ in range(400)]
    return b" ".join(draw.choices(words, k=size // 5))[:size]


def lines(count):
    draw = random.Random(1)
    return b"".join(b"%x\n" % draw.randrange(4096) for _ in range(count))


def video():
    """Frames in YUV 4:2:0: stripes that move."""
    def frame(number):
        luma = bytes((y * 3 + x // 7 + number * 5) % 256 for y in range(FRAME_HEIGHT) for x in range(FRAME_WIDTH))
        return luma + bytes([128]) * (FRAME_WIDTH * FRAME_HEIGHT // 2)
    return b"".join(map(frame, range(FRAMES)))


def tree(folder):
    """Files in folders; most lines of a file are those of the one before, so that one can be stored as a change."""
    draw = random.Random(1)
    content = ["".join(draw.choices("abcdefgh ", k=40)) for _ in range(60)]
    for i in range(40):
        content[draw.randrange(60)] = "".join(draw.choices("abcdefgh ", k=40))
        place = folder / f"d{i % 6}" / f"e{i % 4}"
        place.mkdir(parents=True, exist_ok=True)
        (place / f"f{i}.txt").write_text("\n".join(content) + "\n", encoding="utf-8")


def repository(folder):
    """A repository with the tree in one commit; beside it, the names of its objects and all of them in one pack."""
    def git(*words, **options):
        return subprocess.run(["git", "-C", str(folder), *words], env=os.environ | GIT_VARIABLES, check=True,
                              capture_output=True, **options).stdout
    tree(folder)
    git("init", "-q")
    git("add", "-A")
    git("commit", "-q", "-m", "all")
    names = git("rev-list", "--objects", "--all")
    beside = pathlib.Path(folder).parent
    (beside / "objects").write_bytes(names)
    (beside / "all.pack").write_bytes(git("pack-objects", "-q", "--threads=1", "--stdout", input=names))
