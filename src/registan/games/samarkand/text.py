"""Samarkand: lines of the record as sentences, with the board's names for families, goods and spaces."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from registan.core.game import Box, Json
from registan.core.messages import listing, say
from registan.games.samarkand.map.board import Name


def name(box: Box, kind: str, key: str | int, lang: str) -> str:
    """Return the name of a family, good or space of this board; the key of one that it does not have."""
    called: Name | None = box.names.called.get((kind, key))
    return str(key) if called is None else called.text(lang)


def good(box: Box, number: int, lang: str) -> str:
    """Return the name of a good: "Papyrus (16)"."""
    called = name(box, "good", number, lang)
    return called if called == str(number) else say(lang, "samarkand.good", name=called, number=number)


def cards(box: Box, goods: list[int] | int, lang: str) -> str:
    """Return several cards, or their number if they are secret."""
    if isinstance(goods, int):
        return say(lang, "samarkand.cards", n=goods)
    return listing(lang, [good(box, number, lang) for number in goods])


def tell(box: Box, line: Json, lang: str, who: Callable[[int], str]) -> str:
    """Return a line of the record, or a move without its seat, as a short sentence; empty for an empty line (S14)."""
    if not line:
        return ""
    if line.get("chance") == "deck":
        n = line["cards"] if isinstance(line["cards"], int) else len(line["cards"])
        return say(lang, "samarkand.tell.deck", n=n)
    if line.get("chance") == "tile":
        return say(lang, "samarkand.tell.tile", family=name(box, "family", line["family"], lang))
    values: dict[str, Any] = {part: name(box, part, line[part], lang) for part in ("family", "space") if part in line}
    key = f"samarkand.tell.{line['do']}"
    if "good" in line:
        values["good"] = good(box, line["good"], lang)
    if line["do"] == "discard":
        values["cards"] = cards(box, line["cards"], lang)
        key += "" if line["cards"] else "_nothing"
    if "seat" not in line:
        return say(lang, f"{key}.offer", **values)
    return say(lang, key, who=who(line["seat"]), **values)
