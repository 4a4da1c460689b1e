"""Defaults for whatever the modules of a game leave out."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType, SimpleNamespace
from typing import Any

from registan.core.box import BoxFile, blank
from registan.core.errors import BadMove
from registan.core.game import Box, Game, Json, Record, Tell
from registan.core.messages import listing, say


def moves(module: ModuleType) -> Any:
    """Return `moves.py` of a game with defaults for what it leaves out."""
    plain = {
        "UNORDERED": frozenset(),
        "FREE": frozenset(),
        "question": _question,
        "replay": _replay,
        "score_details": lambda box, s, seat: {},
        "comparable": lambda score: score,
        "redact": lambda line, seat, players: line,
        "forgotten": lambda s, lines: (),
    }
    return SimpleNamespace(**{**plain, **vars(module)})


def _question(box: Box, s: Record, answers: list[tuple[int, int]]) -> None:
    """Every answer is a separate line."""


def _replay(box: Box, s: Record, line: Json, play: Callable[[int, int], None]) -> None:
    """No line without a seat stands for answers."""
    raise BadMove("error.record.line")


def tell(key: str) -> Tell:
    """Return the `tell` of a game without one: the message `<key>.tell.<do>`, with the values of the line.

    A legal move, which has no seat, is `<key>.tell.<do>.offer`; a chance event is `<key>.tell.<chance>`.
    """

    def words(value: Any, lang: str) -> str:
        return listing(lang, [str(part) for part in value]) if isinstance(value, list) else str(value)

    def told(box: Box, line: Json, lang: str, who: Callable[[int], str]) -> str:
        name = line.get("do") or line.get("chance")
        numbers = {field: value for field, value in line.items() if isinstance(value, int)}
        values = {field: words(value, lang) for field, value in line.items()} | numbers
        if "seat" in line:
            values["who"] = who(line["seat"])
        offer = "do" in line and "seat" not in line
        return say(lang, f"{key}.tell.{name}{'.offer' if offer else ''}", **values)

    return told


def load_box(game: Game, data: bytes, name: str) -> Box:
    """Return the box of a game without `box.py`: a TOML file with a number for each field of `rules.BOX`."""
    file, kind = BoxFile(data, name), game.rules.BOX
    numbers = [field for field in kind.names or () if not field.startswith("gap_")]
    file.only("key", *numbers)
    record = blank(kind)
    for field in numbers:
        setattr(record, field, file.number(field, 0, 127))
    return Box(file.key(), file.sha256, record)
