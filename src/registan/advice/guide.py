"""The guide: what a position asks of a seat, in words.

A game may have a part `guide.py` with `remarks`: sentences about a position, the decision first. They are made from
the view of the seat, so they say nothing that it cannot see. What each move is sure to bring is in the view too
(`brings`); what else it may bring and what it risks, the game may say (`foresee`), and the search finds (`advice.why`).
"""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from registan.core.game import Box, Game, Json
from registan.core.messages import LANGUAGES, say_optional


class Guide(Protocol):
    """`guide.py` of a game, an optional part."""

    def remarks(self, box: Box, view: Json, lang: str) -> list[str]:
        """Return what a decision is about and what matters now, as sentences, from the view of its seat."""
        ...


@runtime_checkable
class Foreseeing(Protocol):
    """A `guide.py` that also says what depends on others."""

    def foresee(self, box: Box, view: Json, move: Json, lang: str) -> tuple[str, str]:
        """Return what a move may bring and what it risks, as the rules tell; either may be empty."""
        ...


def situation(game: Game, box: Box, view: Json) -> dict[str, list[str]]:
    """Return what a position asks of the seat whose view it is, by language; without a `guide.py`, the question."""
    part: Guide | None = game.part("guide")
    if part is not None:
        return {lang: part.remarks(box, view, lang) for lang in LANGUAGES}
    questions = {lang: say_optional(lang, f"{game.key}.ask.{view.get('asked')}") for lang in LANGUAGES}
    return {lang: [question] if question else [] for lang, question in questions.items()}


def foreseen(game: Game, box: Box, view: Json, move: Json) -> Json:
    """Return what a move may bring (`brings`) and what it `risks`, each by language; empty if the game says nothing."""
    part = game.part("guide")
    if not isinstance(part, Foreseeing):
        return {"brings": {}, "risks": {}}
    told = {lang: part.foresee(box, view, move, lang) for lang in LANGUAGES}
    return {
        "brings": {lang: brings for lang, (brings, _) in told.items() if brings},
        "risks": {lang: risks for lang, (_, risks) in told.items() if risks},
    }
