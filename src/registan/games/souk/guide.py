"""Le Marché de Samarkand: what a decision is about, and what matters now, for the guide."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from registan.core.game import Box, Json
from registan.core.messages import add_folder, say

# Only the guide needs them.
add_folder(Path(__file__).resolve().parent / "messages" / "guide")


def remarks(box: Box, view: Json, lang: str) -> list[str]:
    """Return sentences about the position, the decision first."""
    return list(_remarks(view, lang))


def _remarks(view: Json, lang: str) -> Iterator[str]:
    asked, mine = view["asked"], view["seats"][view["seat"]]
    yield say(lang, f"souk.guide.{asked}", price=view["price"] or 0)
    if asked == "name" and len(view["stopped"]) > 1:
        yield say(lang, "souk.guide.dispute.doyen" if view["doyen"] == view["seat"] else "souk.guide.dispute")
    elif asked == "count" and view["doyen"] == view["seat"]:
        yield say(lang, "souk.guide.doyen")
    if asked == "count" and mine["dirhams"] and any(brings and brings.get("fine") for brings in view["brings"]):
        yield say(lang, "souk.guide.poor", n=mine["dirhams"])
    room, goods = sum(mine["camels"]), len(mine["goods"] or ())
    if goods > room:
        yield say(lang, "souk.guide.camels", n=goods - room)
    elif room > goods:
        yield say(lang, "souk.guide.room", n=room - goods)
    if view["rounds"] - view["round"] < 3:
        yield say(lang, "souk.guide.end", n=view["rounds"] - view["round"] + 1)


def foresee(box: Box, view: Json, move: Json, lang: str) -> tuple[str, str]:
    """Say what depends on the others: the price of an offer, what is left after waiting, and disputes."""
    match move["do"]:
        case "offer":
            key, values = "offer", {"n": move["value"]}
        case "wait" if view["price"] > 1:
            key, values = "wait", {"n": view["price"] - 1}
        case "wait":
            key, values = "wait.last", {}
        case "name" if len(view["stopped"]) > 1 and view["doyen"] != view["seat"]:
            return "", say(lang, "souk.guide.name.risks", n=(view["price"] + 1) // 2)
        case _:
            return "", ""
    brings, risks = (say(lang, f"souk.guide.{key}.{what}", **values) for what in ("brings", "risks"))
    return brings, risks
