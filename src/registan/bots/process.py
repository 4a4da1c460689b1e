"""Another program that plays: lines of JSON over its standard input and output (docs/own_bots.md).

Reading and writing are done by threads, so that no program can keep us waiting longer than its time, whether it does
not answer, does not read, or never ends a line.
"""

from __future__ import annotations

import atexit
import json
import multiprocessing
import os
import signal
import subprocess
import threading
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from queue import Empty, Queue, SimpleQueue
from typing import IO, Any

from registan.core.game import Json

LINE = 1 << 16
"""The longest line that a program may write."""
LAST_WORDS = 5
"""How many lines of its standard error are kept."""
_running: set[Program] = set()


class Fault(Exception):
    """A program misbehaved: `kind` is late, crash, garbage or illegal; `why` says more."""

    def __init__(self, kind: str, why: str) -> None:
        super().__init__(f"{kind}: {why}")
        self.kind, self.why = kind, why


class Program:
    """A program that was started. It has a session of its own: Ctrl-C is for us, and what it started ends with it."""

    def __init__(self, command: Sequence[str]) -> None:
        pipe = subprocess.PIPE
        try:
            self._process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, start_new_session=True)
        except OSError as error:
            raise Fault("crash", f"{command[0]}: {error.strerror}") from None
        self._answers: Queue[bytes] = Queue()  # not simple: in CPython 3.11 that one may miss the end of its time
        self._lines: SimpleQueue[bytes | None] = SimpleQueue()
        self._errors: deque[str] = deque(maxlen=LAST_WORDS)
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        assert self._process.stderr is not None
        works: list[tuple[Any, IO[bytes]]] = [
            (self._write, self._process.stdin),
            (self._read, self._process.stdout),
            (self._listen, self._process.stderr),
        ]
        self._threads = [threading.Thread(target=work, args=(pipe,), daemon=True) for work, pipe in works]
        for thread in self._threads:
            thread.start()
        _end_with_us()
        _running.add(self)

    def tell(self, message: Json) -> None:
        """Send a message; nobody waits until it is read."""
        self._lines.put(json.dumps(message, ensure_ascii=False, separators=(",", ":")).encode() + b"\n")

    def ask(self, message: Json, seconds: float) -> Json:
        """Send a message and return the answer; raise Fault if there is none in time, or none that can be read."""
        early = not self._answers.empty()
        self.tell(message)
        try:
            line = self._answers.get(timeout=seconds)
        except Empty:
            raise Fault("late", f"no answer to “{message['type']}” within {seconds:g} s") from None
        if not line:
            raise Fault("crash", self._end())
        if early:
            raise Fault("garbage", f"a line that nobody asked for: {_excerpt(line)}")
        try:
            answer = json.loads(line)
        except (ValueError, RecursionError):
            answer = None
        if not isinstance(answer, dict):
            raise Fault("garbage", f"not a JSON object: {_excerpt(line)}")
        return answer

    def close(self) -> None:
        """End the program and whatever it has started."""
        _running.discard(self)
        self._lines.put(None)
        with suppress(OSError):
            if hasattr(os, "killpg"):
                os.killpg(self._process.pid, signal.SIGKILL)  # its group is there until we have waited for it
            else:
                self._process.kill()
        self._process.wait()
        for thread in self._threads:
            thread.join(1)
        for pipe in (self._process.stdin, self._process.stdout, self._process.stderr):
            with suppress(OSError, ValueError):
                assert pipe is not None
                pipe.close()

    def _end(self) -> str:
        """Return how the program ended, and the last line it wrote to standard error."""
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(1)
        self._threads[2].join(1)
        code = self._process.poll()
        how = "it closed its output" if code is None else f"it ended with exit code {code}"
        return f"{how}: {self._errors[-1]}" if self._errors else how

    def _write(self, pipe: IO[bytes]) -> None:
        with suppress(OSError, ValueError):
            while (line := self._lines.get()) is not None:
                pipe.write(line)
                pipe.flush()

    def _read(self, pipe: IO[bytes]) -> None:
        with suppress(OSError, ValueError):
            while line := pipe.readline(LINE):
                self._answers.put(line)
        self._answers.put(b"")

    def _listen(self, pipe: IO[bytes]) -> None:
        with suppress(OSError, ValueError):
            while line := pipe.readline(LINE):
                if text := line.decode(errors="replace").strip():
                    self._errors.append(text[:300])


def _excerpt(line: bytes) -> str:
    return line[:100].decode(errors="replace").rstrip()


@atexit.register
def close_all() -> None:
    """End all programs."""
    for program in list(_running):
        program.close()


def _end_with_us() -> None:
    """In a worker process, end the programs when it is told to end: it leaves without any of Python's goodbyes."""
    if multiprocessing.parent_process() is None or threading.current_thread() is not threading.main_thread():
        return
    if signal.getsignal(signal.SIGTERM) is signal.SIG_DFL:
        signal.signal(signal.SIGTERM, _leave)


def _leave(number: int, frame: object) -> None:
    for program in list(_running):
        with suppress(OSError):
            os.killpg(program._process.pid, signal.SIGKILL)
    os._exit(128 + number)
