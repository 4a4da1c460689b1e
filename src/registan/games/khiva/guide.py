"""Khiva: what a decision is about, and what matters now, for the guide."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from registan.core.game import Box, Json
from registan.core.messages import add_folder, say
from registan.games.khiva.text import card

# Only the guide needs them.
add_folder(Path(__file__).resolve().parent / "messages" / "guide")

FEW = {"teapots": 3, "carpets": 2, "salt": 1}
"""With so few tokens in a pile, the game may end this turn (K14)."""


def remarks(box: Box, view: Json, lang: str) -> list[str]:
    """Return sentences about the position, the decision first."""
    return list(_choose(view, lang) if view["asked"] == "choose" else _move(view, lang))


def _choose(view: Json, lang: str) -> Iterator[str]:
    yield say(lang, "khiva.guide.choose")
    mine, reach = view["seats"][view["seat"]], view["reach"] or {}
    home = [(brings["teapot"], name) for name, brings in reach.items() if brings.get("teapot")]
    salt = [name for name, brings in reach.items() if "salt" in brings.get("open", ())]
    if home:
        points, name = max(home)
        yield say(lang, "khiva.guide.home", card=card(name, lang), n=points)
    elif salt:
        yield say(lang, "khiva.guide.salt", card=card(salt[0], lang), n=view["piles"]["salt"][0])
    for colour, points in mine["undelivered"][:2]:
        camel = say(lang, f"khiva.camel.{colour}")
        yield say(lang, "khiva.guide.deliver", camel=camel, n=points)
    if _near_the_end(view):
        yield say(lang, "khiva.guide.end")


def _move(view: Json, lang: str) -> Iterator[str]:
    if view["asked"] == "move":
        yield say(lang, "khiva.guide.move", n=view["seats"][view["seat"]]["gems"])
    else:
        salt, price = view["piles"]["salt"], view["salt_price"]
        yield say(lang, "khiva.guide.take", n=salt[0], price=price, gain=salt[0] - price)
    if any(brings and brings.get("ends") for brings in view["brings"]):
        yield say(lang, "khiva.guide.ends")


def _near_the_end(view: Json) -> bool:
    piles = view["piles"]
    left = {"teapots": piles["teapots"], "carpets": piles["carpets"], "salt": len(piles["salt"])}
    return any(left[name] <= few for name, few in FEW.items())
