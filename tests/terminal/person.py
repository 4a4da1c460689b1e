"""A person at the terminal, for tests: types a script, or anything that is offered."""

from __future__ import annotations

import io
import random
import re
from collections.abc import Iterable
from typing import Any

from rich.console import Console

from registan.terminal.play import play

OFFERED = re.compile(r"(?:^|\s\s)\s*(\d+) (?=\S)", re.M)


class Person:
    """Plays games through the console and keeps all that was printed."""

    def __init__(
        self, script: Iterable[str] = (), then: str | None = None, seed: int = 1, sees: bool = False, most: int = 10_000
    ) -> None:
        """`then`: what follows the script: None for the end of the input, "any" to type anything that is offered.

        `sees`: whether there is a terminal, on which pictures are drawn. `most`: after how many answers the input ends.
        """
        self.file = io.StringIO()
        self.console = Console(
            file=self.file, width=80, height=24, highlight=False, force_terminal=sees, color_system=None
        )
        self.script, self.then, self.most = list(script), then, most
        self.dice = random.Random(seed)
        self.typed: list[str] = []

    @property
    def seen(self) -> str:
        """All that was printed."""
        return self.file.getvalue()

    @property
    def last(self) -> str:
        """The last question and what was offered with it."""
        return self.seen[self.seen.rindex("▸ ") :]

    def read(self, prompt: str) -> str:
        """Answer as `input` would be answered."""
        self.file.write(prompt)
        text = self._next()
        self.typed.append(text)
        self.file.write(f"{text}\n")
        return text

    def _next(self) -> str:
        if len(self.typed) >= self.most:
            raise EOFError
        if self.script:
            return self.script.pop(0)
        if self.then != "any":
            raise EOFError
        offered: list[str] = OFFERED.findall(self.last.partition("\n")[2])
        return self.dice.choice(offered)

    def play(self, game: str = "khiva", **options: Any) -> int:
        """Sit down and play."""
        return play(game, lang=options.pop("lang", "en"), console=self.console, read=self.read, **options)
