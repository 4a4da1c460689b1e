"""The game on disk: saved after every decision, loaded when the player returns."""

from __future__ import annotations

import os
from pathlib import Path

import registan
from registan.core.errors import BadMove, BadRecord
from registan.core.files import opener, private_folder, write_private
from registan.core.game import Json
from registan.core.match import Match
from registan.core.record import dumps, read_lines


def folder() -> Path:
    """Return where games are kept: the user's data folder, as XDG specifies."""
    base = os.environ.get("XDG_DATA_HOME", "")
    # The XDG specification says to ignore a relative path.
    return (Path(base) if Path(base).is_absolute() else Path.home() / ".local" / "share") / "registan"


class Saved:
    """The file of a game's current record, and its neighbours for games that are over or cannot be read."""

    def __init__(self, game: str) -> None:
        self.game = game
        self.path = folder() / f"terminal-{game}.jsonl"
        self.earlier = folder() / f"terminal-{game}-earlier.jsonl"
        """Games left for a new one, one per line."""
        self.bad = self.path.with_name(self.path.name + ".bad")

    def write(self, record: Json) -> None:
        """Replace the record; whatever happens meanwhile, the file is complete."""
        private_folder(self.path.parent)
        write_private(self.path, dumps(record) + b"\n")

    def load(self, box: str | Path | None) -> tuple[Match, Json] | None:
        """Return the game and its record, None if there is none; raise BadRecord if it cannot be read."""
        try:
            with self.path.open("rb") as file:
                found = list(read_lines(file))
        except FileNotFoundError:
            return None
        except OSError as error:
            raise BadRecord(None, None, error.strerror or str(error)) from None
        if len(found) != 1:
            raise BadRecord(None, None, BadMove("terminal.save.one_line", n=len(found)))
        number, record = found[0]
        if isinstance(record, BadRecord):
            raise record
        if record.get("game") != self.game:
            raise BadRecord(number, None, BadMove("terminal.save.other_game", game=record.get("game")))
        return registan.replay(record, box), record

    def set_aside(self) -> Path:
        """Move an unreadable file out of the way, and return where it is now."""
        self.path.replace(self.bad)
        return self.bad

    def keep(self) -> Path | None:
        """Append the current record to the earlier games, so that a new game destroys nothing."""
        try:
            data = self.path.read_bytes()
        except FileNotFoundError:
            return None
        with open(self.earlier, "ab", opener=opener) as file:
            file.write(data)
        self.path.unlink()
        return self.earlier
