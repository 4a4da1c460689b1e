"""Samarkand: lines of the record as sentences, with the board's names for families, goods and spaces."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from registan.core.game import Json
from registan.core.messages import listing, say
from registan.games.samarkand.map.board import Board, Name

BOARDS = 8
"""The names of how many boards are remembered."""
_boards: dict[str, dict[tuple[str, str | int], Name]] = {}
"""By digest of a board, the latest one last: its names."""


def names_of(board: Board) -> dict[tuple[str, str | int], Name]:
    """Return the names of a board, by kind and key."""
    names: dict[tuple[str, str | int], Name] = {("family", family.key): family.name for family in board.families}
    names |= {("good", good.number): good.name for good in board.goods}
    return names | {("space", space.key): space.name for space in board.spaces}


def remember(board: Board) -> None:
    """Remember the names of a board: lines of the record hold only keys, and do not say of which board."""
    _boards.pop(board.sha256, None)
    _boards[board.sha256] = names_of(board)
    for oldest in list(_boards)[:-BOARDS]:
        _boards.pop(oldest, None)


def name(kind: str, key: str | int, lang: str) -> str:
    """Return the name of a family, good or space; its key if boards disagree."""
    called = {names[kind, key].text(lang) for names in list(_boards.values()) if (kind, key) in names}
    return called.pop() if len(called) == 1 else str(key)


def good(number: int, lang: str) -> str:
    """Return the name of a good: "Papyrus (16)"."""
    called = name("good", number, lang)
    return called if called == str(number) else numbered(called, number, lang)


def numbered(called: str, number: int, lang: str) -> str:
    """Return the name of a good with its number."""
    return say(lang, "samarkand.good", name=called, number=number)


def cards(goods: list[int] | int, lang: str) -> str:
    """Return several cards, or their number if they are secret."""
    if isinstance(goods, int):
        return say(lang, "samarkand.cards", n=goods)
    return listing(lang, [good(number, lang) for number in goods])


def tell(line: Json, lang: str, who: Callable[[int], str]) -> str:
    """Return a line of the record, or a move without its seat, as a short sentence; empty for an empty line (S14)."""
    if not line:
        return ""
    if line.get("chance") == "deck":
        n = line["cards"] if isinstance(line["cards"], int) else len(line["cards"])
        return say(lang, "samarkand.tell.deck", n=n)
    if line.get("chance") == "tile":
        return say(lang, "samarkand.tell.tile", family=name("family", line["family"], lang))
    values: dict[str, Any] = {part: name(part, line[part], lang) for part in ("family", "space") if part in line}
    key = f"samarkand.tell.{line['do']}"
    if "good" in line:
        values["good"] = good(line["good"], lang)
    if line["do"] == "discard":
        values["cards"] = cards(line["cards"], lang)
        key += "" if line["cards"] else "_nothing"
    if "seat" not in line:
        return say(lang, f"{key}.offer", **values)
    return say(lang, key, who=who(line["seat"]), **values)
