"""Le Marché de Samarkand: lines of the record as sentences."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from registan.core.game import Box, Json
from registan.core.messages import listing, say


def item(name: Any, lang: str) -> str:
    """Return the name of an item for sale: "jewels 7", "the camel"."""
    if name == "camel":
        return say(lang, "souk.camel")
    return say(lang, "souk.card", type=say(lang, f"souk.type.{name[0]}"), value=name[1])


def tell(box: Box, line: Json, lang: str, who: Callable[[int], str]) -> str:
    """Return a line of the record, or a move without its seat, as a short sentence."""
    if "chance" in line:
        return say(lang, "souk.tell.camels")
    if "price" in line:
        if not line["price"]:
            return say(lang, "souk.tell.round_end")
        names = listing(lang, [who(seat) for seat in line["stops"]])
        return say(lang, "souk.tell.stops", n=len(line["stops"]), who=names, price=line["price"])
    values: dict[str, Any] = {}
    if line["do"] == "offer":
        values = {"value": line["value"]}
    elif line["do"] == "name":
        values = {"item": item(line["item"], lang)}
    key = f"souk.tell.{line['do']}"
    if "seat" not in line:
        return say(lang, f"{key}.offer", **values)
    return say(lang, key, who=who(line["seat"]), **values)
