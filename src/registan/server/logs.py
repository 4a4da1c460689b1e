"""The log of the house on standard error: lines of JSON, or plain text in a terminal."""

from __future__ import annotations

import logging
import sys
import time
from contextlib import suppress
from typing import Any

import msgspec

LEVELS = ("debug", "info", "warning", "error")


class Log:
    """The log. Callers never give it names, cookies or secrets."""

    def __init__(self) -> None:
        self.least = LEVELS.index("info")

    def set_level(self, level: str) -> None:
        """Log only events of this level and above."""
        self.least = LEVELS.index(level)

    def info(self, event: str, **more: Any) -> None:
        """Log a normal event."""
        self._write("info", event, more)

    def warning(self, event: str, **more: Any) -> None:
        """Log an event that an operator should look at."""
        self._write("warning", event, more)

    def error(self, event: str, **more: Any) -> None:
        """Log a failure."""
        self._write("error", event, more)

    def _write(self, level: str, event: str, more: dict[str, Any]) -> None:
        if LEVELS.index(level) < self.least:
            return
        if sys.stderr.isatty():
            line = " ".join([time.strftime("%H:%M:%S"), event, *(f"{name}={value}" for name, value in more.items())])
        else:
            now = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
            entry = {**more, "event": event, "level": level, "timestamp": now}
            line = msgspec.json.encode(entry, enc_hook=str).decode()
        with suppress(OSError, ValueError):  # the log may be on a full disk, or gone: the house goes on
            print(line + "\n", end="", file=sys.stderr, flush=True)  # in one piece: bots log from other threads


log = Log()


def configure_logs(level: str) -> None:
    """Write logs of this level and above to standard error."""
    logging.basicConfig(level=getattr(logging, level.upper()), format="%(name)s: %(message)s", stream=sys.stderr)
    log.set_level(level)
