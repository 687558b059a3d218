#!/usr/bin/env python3
"""Figures 2 to 4 of the Nekara paper from Python: threading.Thread, ctypes, and the library that HEDDLE_LIBRARY names.

ctypes lets go of the interpreter's lock during a call, so a thread that heddle parks holds up nobody.
"""

import ctypes
import os
import sys
import threading

OK, DEADLOCK, FAILED, NOTHING_LEFT = 0, 100, 104, 204

heddle = ctypes.CDLL(os.environ["HEDDLE_LIBRARY"])
for name in ("create_operation", "start_operation", "end_operation", "join_operation"):
    getattr(heddle, f"heddle_{name}").argtypes = [ctypes.c_uint64]
for name in ("create_resource", "wait_resource", "signal_resource"):
    getattr(heddle, f"heddle_{name}").argtypes = [ctypes.c_uint64]
heddle.heddle_open.argtypes = [ctypes.c_char_p, ctypes.c_uint64]
heddle.heddle_fail.argtypes = [ctypes.c_char_p]
heddle.heddle_choose_integer.argtypes = [ctypes.c_uint32, ctypes.POINTER(ctypes.c_uint32)]
heddle.heddle_error_name.restype = ctypes.c_char_p
heddle.heddle_last_error_message.restype = ctypes.c_char_p


def check(condition, what):
    if not condition:
        sys.exit(f"figure2.py: {what} (last error: {heddle.heddle_last_error_message().decode()})")


def checked(code):
    check(code == OK, heddle.heddle_error_name(code).decode())


class Thread:
    """A mock of threading.Thread."""

    def __init__(self, operation, body, *arguments):
        self.operation, self.body, self.arguments = operation, body, arguments
        heddle.heddle_create_operation(operation)
        self.thread = threading.Thread(target=self.run)
        self.thread.start()

    def run(self):
        if heddle.heddle_start_operation(self.operation) == OK:
            self.body(*self.arguments)
            heddle.heddle_end_operation(self.operation)

    def join(self):
        heddle.heddle_join_operation(self.operation)
        self.thread.join()


class Lock:
    """A mock of threading.Lock."""

    def __init__(self, resource):
        self.resource, self.acquired = resource, False
        checked(heddle.heddle_create_resource(resource))

    def acquire(self):
        heddle.heddle_schedule()
        while self.acquired:
            if heddle.heddle_wait_resource(self.resource) != OK:
                return False
        self.acquired = True
        return True

    def release(self):
        self.acquired = False
        heddle.heddle_signal_resource(self.resource)


def test():
    x = 0
    lock = Lock(1)

    def foo(argument):
        nonlocal x
        lock.acquire()
        x = argument
        lock.release()

    threads = [Thread(i, foo, i) for i in (1, 2, 3)]
    for thread in threads:
        thread.join()
    if x == 1:
        heddle.heddle_fail(b"x is 1: t1 wrote last")


def explore(strategy, iterations_max, body):
    """The codes of heddle_detach, one an iteration."""
    codes = []
    checked(heddle.heddle_open(strategy.encode(), 7))
    while len(codes) < iterations_max:
        code = heddle.heddle_attach()
        if code == NOTHING_LEFT:
            break
        checked(code)
        body()
        codes.append(heddle.heddle_detach())
    checked(heddle.heddle_close())
    return codes


def test_deadlock():
    locks = [Lock(1), Lock(2)]

    def take(first, second):
        if locks[first].acquire() and locks[second].acquire():
            locks[second].release()
            locks[first].release()

    threads = [Thread(1, take, 0, 1), Thread(2, take, 1, 0)]
    for thread in threads:
        thread.join()


def test_choice(seen):
    value = ctypes.c_uint32()
    checked(heddle.heddle_choose_integer(5, ctypes.byref(value)))
    seen.append(value.value)


def main():
    codes = explore("dfs", 10_000, test)
    check(len(codes) == 280 and codes.count(FAILED) == 30, f"{codes.count(FAILED)} of {len(codes)}, not 30 of 280")

    codes = explore("random", 1_000, test)
    print(f"x is 1 in {codes.count(FAILED)} of 1000 iterations")
    check(273 < codes.count(FAILED) < 393, "333 expected, give or take 4 sigma of 14.9")

    codes = explore("random", 300, test_deadlock)
    check(0 < codes.count(DEADLOCK) < 300, "some iterations deadlock, some do not")
    check(set(codes) == {OK, DEADLOCK}, f"other codes than these: {set(codes)}")

    seen = []
    explore("dfs", 100, lambda: test_choice(seen))
    check(sorted(seen) == [0, 1, 2, 3, 4], f"every value once, not {seen}")


if __name__ == "__main__":
    main()
