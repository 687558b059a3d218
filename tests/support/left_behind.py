"""Runs a command, and sees what it leaves behind: processes, descriptors and files.

This process becomes the one to which the kernel gives orphans, so a daemon, a child in a session of its own and a child
whose parent was killed are all found among its descendants.
"""

import ctypes
import dataclasses
import itertools
import os
import pathlib
import resource
import signal
import subprocess
import tempfile
import time

PR_SET_CHILD_SUBREAPER = 36
TICK_SECONDS = 0.01
TICKS_BETWEEN_COUNTS = 20  # of processes, which takes longer
DESCRIPTORS_MAX = 64  # of the command; it needs about twenty
PROCESSES_MAX = 150  # at once: what an execution leaves does not pile up


def become_subreaper():
    if ctypes.CDLL(None, use_errno=True).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "PR_SET_CHILD_SUBREAPER")


@dataclasses.dataclass
class Process:
    number: int
    parent: int
    state: str
    name: str

    def __str__(self):
        return f"{self.number} ({self.name}, state {self.state}, child of {self.parent})"


def all_processes():
    found = []
    for entry in os.listdir("/proc"):
        if not entry.isdigit():
            continue
        try:
            text = pathlib.Path("/proc", entry, "stat").read_text(encoding="utf-8", errors="replace")
        except OSError:
            continue  # it has ended meanwhile
        name, _, rest = text.partition("(")[2].rpartition(")")
        fields = rest.split()
        found.append(Process(int(entry), int(fields[1]), fields[0], name))
    return found


def descendants():
    """Of this process; those that have ended and only wait to be reaped do not count."""
    family, found = {os.getpid()}, []
    everyone = all_processes()
    grew = True
    while grew:
        more = [process for process in everyone if process.parent in family and process.number not in family]
        family |= {process.number for process in more}
        found += more
        grew = bool(more)
    return [process for process in found if process.state not in "ZX"]


def reap():
    try:
        while os.waitpid(-1, os.WNOHANG)[0] != 0:
            pass
    except ChildProcessError:
        pass


def end_descendants():
    while left := descendants():
        for process in left:
            try:
                os.kill(process.number, signal.SIGKILL)
            except ProcessLookupError:
                pass
        reap()
    reap()


def wait_until_alone(seconds):
    """Returns the processes that are still there after so long."""
    until = time.monotonic() + seconds
    while True:
        reap()
        left = descendants()
        if not left or time.monotonic() > until:
            return left
        time.sleep(TICK_SECONDS)


def descriptors_of(process):
    try:
        return len(os.listdir(f"/proc/{process}/fd"))
    except OSError:
        return 0


@dataclasses.dataclass
class Seen:
    code: int | None = None  # None: it had to be killed
    output: str = ""
    seconds: float = 0
    descriptors: int = 0  # the most that the command had
    processes: int = 0  # the most that descended from it
    left: list = dataclasses.field(default_factory=list)  # what it left behind, for a person


class Place:
    """A working folder and a folder for temporary files, for one command after another."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.work, self.temporary = self.folder / "work", self.folder / "tmp"
        self.work.mkdir()
        self.temporary.mkdir()
        self.shared_before = set(shared_files())

    def files(self):
        here = [path for top in (self.work, self.temporary) for path in top.rglob("*")]
        return here + sorted(set(shared_files()) - self.shared_before)

    def traces(self):
        return sorted(self.work.glob("*.trace"))


def shared_files():
    """Those that heddle could have made: other programs use the folder as well."""
    return list(pathlib.Path("/dev/shm").glob("*heddle*"))


def run(words, place, variables, seconds_max, limits=(), stdin=subprocess.DEVNULL, at=None):
    """Runs the command until it ends, for at most so long. `at`: it is killed after so many seconds, by SIGKILL."""

    def set_limits():
        for name, value in limits:
            kind = getattr(resource, f"RLIMIT_{name.upper()}")
            hard = resource.getrlimit(kind)[1]
            least = value if hard == resource.RLIM_INFINITY else min(value, hard)
            resource.setrlimit(kind, (least, least))

    descriptors_before = descriptors_of("self")
    seen = Seen()
    with tempfile.TemporaryFile() as output:
        begun = time.monotonic()
        command = subprocess.Popen(words, cwd=place.work, env=variables | {"TMPDIR": str(place.temporary)}, stdin=stdin,
                                   stdout=output, stderr=subprocess.STDOUT, preexec_fn=set_limits)
        until = begun + (seconds_max if at is None else at)
        for tick in itertools.count(1):
            if command.poll() is not None or time.monotonic() >= until:
                break
            if tick % TICKS_BETWEEN_COUNTS == 0:
                seen.processes = max(seen.processes, len(descendants()))
            seen.descriptors = max(seen.descriptors, descriptors_of(command.pid))
            time.sleep(TICK_SECONDS)
        seen.seconds = time.monotonic() - begun
        seen.code = command.poll()
        if seen.code is None:
            command.kill()
            command.wait()
        output.seek(0)
        seen.output = output.read().decode(errors="replace")
    patience = 0 if seen.code is not None else 2  # what dies with the command needs a moment to notice
    seen.left = [f"process {process}" for process in wait_until_alone(patience)]
    end_descendants()
    if descriptors_of("self") != descriptors_before:
        seen.left.append("a descriptor of the process that started it")
    return seen
