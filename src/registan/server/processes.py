"""`registan serve --processes`: several processes behind one port, and one that watches over them.

Each has a listening socket of its own at the same address, among which Linux divides new connections. The sockets
belong to the watching process: while a process that died is replaced, whoever connects waits and is not refused.
"""

from __future__ import annotations

import os
import signal
import socket
import time
from collections.abc import Callable

from prometheus_client import multiprocess

from registan.core.errors import BadInput
from registan.server.limits import EXIT_SECONDS
from registan.server.logs import log
from registan.server.siblings import Siblings, letters_for
from registan.server.storage.store import sqlite_path

QUICK = 5.0
"""A process that ends by itself within so many seconds is replaced after a pause, which doubles each time."""
LONGEST_PAUSE = 30.0
Work = Callable[[socket.socket, Siblings, int], None]
"""Serves from a socket until told to stop, or until the pipe with this number ends: the watching process is gone."""


def check(store: str) -> None:
    """Raise BadInput unless several processes can share a database here."""
    if sqlite_path(store) is not None:
        raise BadInput("error.house.processes_store")
    if not hasattr(os, "fork"):
        raise BadInput("error.house.processes_system")


class Processes:
    """The processes of a house, by number."""

    def __init__(self, sockets: list[socket.socket], work: Work) -> None:
        self._sockets, self._work = sockets, work
        self._letters = letters_for(len(sockets))
        self._alive = os.pipe()
        self._numbers: dict[int, int] = {}
        """By process id."""
        self._begun = [0.0] * len(sockets)
        self._pauses = [0.0] * len(sockets)
        self._stopping = False

    def run(self) -> None:
        """Keep all processes running until a signal to stop, then let them end in order."""
        for sign in (signal.SIGTERM, signal.SIGINT):
            signal.signal(sign, self._stop)
        for number in range(len(self._sockets)):
            self._start(number)
        while self._numbers:
            process, status = os.wait()
            number = self._numbers.pop(process)
            multiprocess.mark_process_dead(process)  # type: ignore[no-untyped-call]
            if not self._stopping:
                self._replace(number, status)

    def _replace(self, number: int, status: int) -> None:
        code = os.waitstatus_to_exitcode(status)
        quick = code != -signal.SIGKILL and time.monotonic() - self._begun[number] < QUICK
        pause = self._pauses[number] = min(LONGEST_PAUSE, self._pauses[number] * 2 or 0.25) if quick else 0.0
        log.error("a process has ended and is replaced", process=number, code=code, pause=pause)
        self._start(number, pause, first=False)

    def _start(self, number: int, pause: float = 0.0, first: bool = True) -> None:
        self._begun[number] = time.monotonic() + pause
        process = os.fork()
        if process:
            self._numbers[process] = number
            return
        code = 1
        try:
            for sign in (signal.SIGTERM, signal.SIGINT, signal.SIGALRM):
                signal.signal(sign, signal.SIG_DFL)
            os.close(self._alive[1])
            time.sleep(pause)
            siblings = Siblings(number, self._letters, len(self._sockets), first)
            self._work(self._sockets[number], siblings, self._alive[0])
            code = 0
        except KeyboardInterrupt:
            code = 130
        except BaseException as error:
            log.error("a process cannot go on", process=number, why=repr(error))
        finally:
            os._exit(code)

    def _stop(self, *_: object) -> None:
        self._signal(signal.SIGTERM)
        if not self._stopping:
            signal.signal(signal.SIGALRM, lambda *_: self._signal(signal.SIGKILL))
            signal.alarm(EXIT_SECONDS + 2)
        self._stopping = True

    def _signal(self, sign: signal.Signals) -> None:
        for process in self._numbers:
            os.kill(process, sign)
