"""The file in which an arena keeps every finished game as a line, so that it can be resumed."""

from __future__ import annotations

import json
from pathlib import Path
from types import TracebackType
from typing import Any

from registan.core.errors import BadInput
from registan.lab.arena import Arena, Played


class Journal:
    """A line that describes the arena, then one JSON object per line for each game played."""

    def __init__(self, arena: Arena, path: Path | None) -> None:
        self.played: list[Played] = []
        self._file = None
        if path is None:
            return
        try:
            if path.exists() and path.stat().st_size:
                self._read(arena, path)
                self._file = path.open("a", encoding="utf-8")
            else:
                self._file = path.open("w", encoding="utf-8")
                self._line(arena.head())
        except (OSError, UnicodeDecodeError) as error:
            why = error.strerror if isinstance(error, OSError) else "UTF-8"
            raise BadInput("cli.cannot_write", file=path, why=why) from None

    @property
    def done(self) -> set[int]:
        """The numbers of the games that were played."""
        return {game.number for game in self.played}

    def add(self, games: list[Played]) -> None:
        """Keep games; they are on disk when this returns."""
        self.played += games
        for game in games:
            self._line({name: value for name, value in vars(game).items() if name != "faults" or value})
        if self._file is not None:
            self._file.flush()

    def _line(self, line: object) -> None:
        if self._file is not None:
            self._file.write(json.dumps(line, ensure_ascii=False) + "\n")

    def _read(self, arena: Arena, path: Path) -> None:
        """Read the games played before. An incomplete last line (the program was killed) is dropped."""
        data = path.read_bytes()
        whole = data[: data.rfind(b"\n") + 1]
        if len(whole) < len(data):
            with path.open("r+b") as file:
                file.truncate(len(whole))
        head, *lines = whole.decode("utf-8").splitlines() or ["null"]
        wanted = {seating.number: seating for seating in arena.seatings()}
        try:
            # Through JSON, as the file was.
            if json.loads(head) != json.loads(json.dumps(arena.head())):
                raise BadInput("lab.other_arena", file=path)
            for line in lines:
                values: dict[str, Any] = {
                    k: tuple(v) if isinstance(v, list) else v for k, v in json.loads(line).items()
                }
                game = Played(**values)
                seating = wanted.get(game.number)
                if seating and (seating.deal, seating.bots) == (game.deal, game.bots):
                    self.played.append(game)
        except (ValueError, TypeError, AttributeError):
            raise BadInput("lab.bad_journal", file=path) from None

    def __enter__(self) -> Journal:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._file is not None:
            self._file.close()
