"""The log of the house: a line of JSON for each thing worth telling, on the standard error; words for a person."""

from __future__ import annotations

import sys
import time
from typing import Any

import msgspec

LEVELS = ("debug", "info", "warning", "error")


class Log:
    """Where the house says what happens. It tells no names, cookies or secrets: nobody gives it any."""

    def __init__(self) -> None:
        self.least = LEVELS.index("info")

    def keep(self, level: str) -> None:
        """Tell only what is of this level or more serious."""
        self.least = LEVELS.index(level)

    def info(self, event: str, **more: Any) -> None:
        """Tell of something that goes its way."""
        self._tell("info", event, more)

    def warning(self, event: str, **more: Any) -> None:
        """Tell of something that somebody should look at."""
        self._tell("warning", event, more)

    def error(self, event: str, **more: Any) -> None:
        """Tell of something that failed."""
        self._tell("error", event, more)

    def _tell(self, level: str, event: str, more: dict[str, Any]) -> None:
        if LEVELS.index(level) < self.least:
            return
        if sys.stderr.isatty():
            line = " ".join([time.strftime("%H:%M:%S"), event, *(f"{name}={value}" for name, value in more.items())])
        else:
            now = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
            told = {**more, "event": event, "level": level, "timestamp": now}
            line = msgspec.json.encode(told, enc_hook=str).decode()
        print(line, file=sys.stderr, flush=True)


log = Log()
