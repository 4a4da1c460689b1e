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
