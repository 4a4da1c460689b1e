"""Khiva: what a decision is about, and what matters now, for the guide."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from registan.core.brings import tell_brings
from registan.core.game import Box, Json
from registan.core.messages import add_folder, listing, say
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


def foresee(box: Box, view: Json, move: Json, lang: str) -> tuple[str, str]:
    """K4: say where the cards take their camels if they are the lowest of their colours, and what can go wrong."""
    brings, risks = [], []
    for name in move["play"] if move["do"] == "choose" else ():
        colour, lower = name.rsplit("-", 1)[0], _lower(name)
        if lower & {*move["play"]}:  # K17
            brings.append(say(lang, "khiva.guide.second", card=card(name, lang)))
            continue
        out = lower - {*view["hand"], *view["shown"], *view["discarded"]}
        values = {"colour": say(lang, f"khiva.colour.{colour}"), "n": len(out)}
        key = "khiva.guide.lowest" if out else "khiva.guide.sure"
        brings.append(say(lang, key, **values, **_stop(view, view["reach"][name], lang)))
        if out:
            risks.append(say(lang, "khiva.guide.beaten", **values))
    return listing(lang, brings), listing(lang, risks)


def _lower(name: str) -> set[str]:
    """Return the lower cards of the same colour."""
    colour, value = name.rsplit("-", 1)
    return {f"{colour}-{lower}" for lower in range(1, int(value))}


def _stop(view: Json, entry: Json, lang: str) -> dict[str, str]:
    """Return where a camel would stop, and what is there."""
    path, shop = entry["place"] or (view["seat"], 0)
    mine = "counter" if not shop else "shop.mine" if path == view["seat"] else "shop"
    certain = {key: value for key, value in entry.items() if key != "open"}
    choice = [say(lang, f"khiva.open.{word}") for word in entry.get("open", ()) if word != "others"]
    what = tell_brings("khiva", certain, lang, str) or listing(lang, choice) or say(lang, "khiva.guide.nothing")
    return {"place": say(lang, f"khiva.guide.{mine}", n=shop), "what": what}


def _near_the_end(view: Json) -> bool:
    piles = view["piles"]
    left = {"teapots": piles["teapots"], "carpets": piles["carpets"], "salt": len(piles["salt"])}
    return any(left[name] <= few for name, few in FEW.items())
