"""Clients of the servers among the real programs. Each execution of a server has one session, which shuts it down."""

import contextlib
import socket
import threading
import time

ANSWER_SECONDS = 30

# What a client sends, what the server answers, and what ends the server.
REDIS = (b"SET a 1\r\nINCR a\r\nLPUSH l x y z\r\nUNLINK l\r\nFLUSHALL ASYNC\r\nGET a\r\n",
         b"+OK\r\n:2\r\n:3\r\n:1\r\n+OK\r\n$-1\r\n", b"SHUTDOWN NOSAVE\r\n")
MEMCACHED = (b"set a 0 0 1\r\n1\r\nincr a 1\r\nget a\r\ndelete a\r\n",
             b"STORED\r\n2\r\nVALUE a 0 1\r\n2\r\nEND\r\nDELETED\r\n", b"shutdown\r\n")


class Sessions:
    """Has one session after another with the server at this path, in a thread, until it is told to stop."""

    def __init__(self, path, protocol):
        self.path, self.protocol = str(path), protocol
        self.answered = 0
        self.wrong = []  # other answers than expected; an execution that was ended meanwhile gives none
        self.stopping = threading.Event()
        self.thread = threading.Thread(target=self.run)

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.stopping.set()
        self.thread.join()

    def run(self):
        while not self.stopping.is_set():
            try:
                self.have_one()
            except OSError:
                time.sleep(0.002)  # it does not listen yet

    def have_one(self):
        request, expected, ending = self.protocol
        with contextlib.closing(socket.socket(socket.AF_UNIX)) as connection:
            connection.settimeout(ANSWER_SECONDS)
            connection.connect(self.path)
            connection.sendall(request)
            answer = b""
            while len(answer) < len(expected) and (more := connection.recv(4096)):
                answer += more
            if answer == expected:
                self.answered += 1
            elif answer:
                self.wrong.append(answer)
            connection.sendall(ending)
            while connection.recv(4096):
                pass
