#!/usr/bin/env python3
"""Holds docs/limits.md against the libc that is there.

    check_libc.py <docs/limits.md> --runtime <libheddle_preload.so> [--libc <libc.so.6> ...]

Every function that libc exports for threads, for waiting, for time, for processes, for signals and for memory is either
replaced by heddle's runtime or named on the page; and what the page calls controlled, the runtime replaces. A name on the
page stands in backquotes, and may contain `*`.
"""

import argparse
import fnmatch
import pathlib
import re
import subprocess
import sys

# What a function of libc is about, by its name. A new function of one of these kinds has to be looked at.
KINDS = {
    "threads": r"_{0,2}(pthread_|thrd_|mtx_|cnd_|tss_|sem_).*|call_once|__cxa_thread_atexit_impl",
    "locks of streams and files": r"f(try|un)?lockfile|flock|lockf(64)?|_{0,2}fcntl(64)?|l?u?l?ckpwdf",
    "scheduling": r"_{0,2}sched_.*|nice|[gs]etpriority|getcpu",
    "users": r"set(res|re|e|fs)?[ug]id|setgroups|initgroups",
    "signals": r"_{0,2}(sig|kill|raise|tgkill|[bg]?s?d?_?signal|sysv_signal|signalfd|pause)\w*",
    "time": r"_{0,2}(u|nano|clock_nano)?sleep|_{0,2}clock(_.*)?|u?alarm|[gs]etitimer|timer(fd)?_.*|"
            r"_{0,2}(time|times|ftime|gettimeofday|timespec_get(res)?)",
    "waiting": r"_{0,2}(wait[34]?|waitp?id|poll|ppoll|p?select|epoll_\w+|eventfd\w*|pidfd_\w+|inotify_\w+|fanotify_\w+)",
    "messages": r"_{0,2}(mq_|msg|shm|sem)(open|get|ctl|rcv|snd|op|timedop|\w*receive|\w*send|notify|at|dt)\w*|aio_\w+|"
                r"lio_listio(64)?|getaddrinfo_a|gai_(suspend|cancel)",
    "processes": r"_{0,2}v?fork|_Fork|_{0,2}clone\d?|f?exec(l|le|lp|v|ve|vp|vpe|veat)|posix_spawnp?|system|p(open|close)|"
                 r"daemon|_?_?_?[eE]xit|quick_exit|abort|(at_quick_|on_)?exit|(__cxa_)?at_?exit|unshare|setns|ptrace|"
                 r"_{0,2}get(p|pp|t)id|syscall|prctl|arch_prctl|personality",
    "descriptors": r"_{0,2}(p?readv?(64)?(v2)?|p?writev?(64)?(v2)?|close|close_range|closefrom|dup[23]?|pipe2?|socket|"
                   r"socketpair|accept4?|bind|listen|connect|shutdown|recv(from|msg|mmsg)?|send(to|msg|mmsg)?|"
                   r"open(at)?(64)?|sendfile(64)?|splice|tee|vmsplice|copy_file_range|(read|recv|recvfrom|p?poll)_chk)",
    "memory": r"(m|c|re|v|pv)alloc|free|reallocarray|posix_memalign|memalign|aligned_alloc|malloc_usable_size|s?brk|"
              r"m(un|re)?map(64)?|mlockall|cfree",
    "chance": r"s?rand(om)?(_r)?|[delmnj]rand48|srand48|seed48|lcong48|initstate|setstate|getrandom|getentropy|"
              r"arc4random\w*",
    "contexts": r"_?_?(sig)?longjmp(_chk)?|(make|swap|set|get)context",
}


def functions_of(library):
    """The functions that programs can call: those of versions that are private to libc are not among them."""
    table = subprocess.run(["readelf", "-W", "--dyn-syms", library], check=True, capture_output=True, text=True).stdout
    for line in table.splitlines():
        words = line.split()
        if len(words) < 8 or words[3] not in ("FUNC", "IFUNC") or words[6] == "UND" or words[4] == "LOCAL":
            continue
        name, _, version = words[7].partition("@")
        if "PRIVATE" not in version:
            yield name


def libraries_here():
    listed = subprocess.run(["ldconfig", "-p"], capture_output=True, text=True, check=False).stdout
    for name in ("libc.so.6", "libpthread.so.0"):
        found = re.search(rf"^\s*{re.escape(name)} \(libc6,x86-64.*=> (\S+)$", listed, re.MULTILINE)
        if found:
            yield found.group(1)


def names_in(text):
    return {word for quoted in re.findall(r"`([^`]+)`", text) for word in re.findall(r"[A-Za-z_][\w*]*", quoted)}


def section(page, title):
    found = re.search(rf"^## {re.escape(title)}$(.*?)(?=^## |\Z)", page, re.MULTILINE | re.DOTALL)
    if not found:
        sys.exit(f"limits.md has no section '{title}'")
    return found.group(1)


def first_column(table):
    """The functions that each row is about."""
    return "\n".join(line.split("|")[2] for line in table.splitlines() if line.count("|") > 3)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("page", type=pathlib.Path)
    parser.add_argument("--runtime", required=True)
    parser.add_argument("--libc", nargs="*")
    options = parser.parse_args()

    page = options.page.read_text(encoding="utf-8")
    replaced = set(functions_of(options.runtime))
    listed = names_in(page)
    patterns = [name for name in listed if "*" in name]
    libraries = options.libc or list(libraries_here())
    if not libraries:
        sys.exit("no libc.so.6 was found: name it with --libc")
    there = {name for library in libraries for name in functions_of(library)}
    wrong = []
    for kind, pattern in KINDS.items():
        about = sorted(name for name in there if re.fullmatch(pattern, name))
        if not about:
            wrong.append(f"no function of libc is about {kind}: the pattern is wrong")
        for name in about:
            if name not in replaced and name not in listed and not any(fnmatch.fnmatch(name, one) for one in patterns):
                wrong.append(f"{kind}: {name} is neither replaced by the runtime nor named in {options.page.name}")
    for name in sorted(names_in(first_column(section(page, "What is controlled")))):
        if name in there and name not in replaced:
            wrong.append(f"{name} is called controlled in {options.page.name}, and the runtime does not replace it")
    print("\n".join(wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
