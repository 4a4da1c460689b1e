"""Samarkand: what a decision is about, and what matters now, for the guide."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from registan.core.game import Box, Json
from registan.core.messages import add_folder, listing, say
from registan.games.samarkand.text import good, name

# Only the guide needs them.
add_folder(Path(__file__).resolve().parent / "messages" / "guide")

FEW = 3
"""With so few families that have met nobody, or meetings of one that are missing, the end is near (S19)."""
MEETINGS = 5


def remarks(box: Box, view: Json, lang: str) -> list[str]:
    """Return sentences about the position, the decision first."""
    asked = view["asked"]
    return [*_asked(box, view, asked, lang), *(_near_the_end(box, view, lang) if asked in ("turn", "second") else ())]


def _asked(box: Box, view: Json, asked: str, lang: str) -> Iterator[str]:
    if asked == "turn":
        yield say(lang, "samarkand.guide.turn")
        yield say(lang, "samarkand.guide.cards", n=sum(view["worth"] or ()))
        places = [(move, brings) for move, brings in zip(view["legal"], view["brings"]) if move["do"] == "place"]
        meetings = [move for move, brings in places if brings and _gets(brings, "relation")]
        if meetings:
            family, space = meetings[0]["family"], meetings[0]["space"]
            called = {"family": name(box, "family", family, lang), "space": name(box, "space", space, lang)}
            yield say(lang, "samarkand.guide.meeting", **called)
    elif asked == "second":
        treasury = view["families"][view["family"]]["treasury"]
        yield say(lang, "samarkand.guide.second", family=name(box, "family", view["family"], lang), n=treasury)
    elif asked == "sale":
        worth = max((brings.get("worth", 0) for brings in view["brings"] if brings), default=0)
        yield say(lang, "samarkand.guide.sale", good=good(box, view["good"], lang), n=worth)
    else:
        yield say(lang, "samarkand.guide.discard", limit=view["limit"])


def _gets(brings: Json, item: str) -> bool:
    return any(thing == item for _, thing in brings.get("gets", ()))


def _near_the_end(box: Box, view: Json, lang: str) -> Iterator[str]:
    families = view["families"]
    alone = [key for key, one in families.items() if not one["partners"]]
    if 0 < len(alone) <= FEW:
        called = [name(box, "family", key, lang) for key in alone]
        yield say(lang, "samarkand.guide.alone", families=listing(lang, called))
    for key, one in families.items():
        if len(one["partners"]) == MEETINGS - 1:
            yield say(lang, "samarkand.guide.fifth", family=name(box, "family", key, lang))
