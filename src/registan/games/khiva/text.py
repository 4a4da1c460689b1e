"""Khiva: lines of the record as sentences."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from registan.core.game import Box, Json
from registan.core.messages import listing, say


def card(name: str, lang: str) -> str:
    """Return the name of a card: "white 4"."""
    colour, value = name.split("-")
    return say(lang, "khiva.card", colour=say(lang, f"khiva.colour.{colour}"), value=value)


def cards(names: list[str] | int, lang: str) -> str:
    """Return several cards, or their number if they are secret."""
    if isinstance(names, int):
        return say(lang, "khiva.cards", n=names)
    return listing(lang, [card(name, lang) for name in names])


def tell(box: Box, line: Json, lang: str, who: Callable[[int], str]) -> str:
    """Return a line of the record, or a move without its seat, as a short sentence."""
    if "chance" in line:
        return say(lang, "khiva.tell.deal")
    values: dict[str, Any] = {}
    key = f"khiva.tell.{line['do']}"
    if line["do"] == "choose":
        values = {"play": cards(line["play"], lang), "give": cards(line["give"], lang)}
    elif line["do"] == "move":
        values = {"camel": say(lang, f"khiva.camel.{line['camel']}"), "gems": line["gems"]}
        key += "_boosted" if line["gems"] else ""
    else:
        key += f"_{line['what']}"
    if "seat" not in line:
        return say(lang, f"{key}.offer", **values)
    return say(lang, key, who=who(line["seat"]), **values)
