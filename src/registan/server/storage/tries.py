"""The first answers of people to puzzles, and the ratings of the puzzles that follow from them."""

from __future__ import annotations

import asyncio
import time
from functools import partial

import msgspec

from registan.advice.puzzles.learning import learned
from registan.advice.puzzles.puzzle import puzzles_of
from registan.core.game import Game
from registan.server.limits import LEARNING_PAUSE
from registan.server.storage.documents import Document, Documents

SOLVED = "solved"
"""The kind of document that says how somebody did with a puzzle."""


class Try(msgspec.Struct):
    """Somebody's first answer to a puzzle."""

    game: str
    right: bool
    rating: int
    """That of the puzzle when it was tried."""
    daily: bool
    """Whether it was the puzzle of the day."""


class PastTry(Try):
    """A puzzle that I have tried: its id, and when."""

    puzzle: str
    at: int


class Tries:
    """What people answered, in the store, and what a house has learned from it."""

    def __init__(self, documents: Documents, pause: float = LEARNING_PAUSE) -> None:
        self._documents, self._pause = documents, pause
        self._learned: dict[str, tuple[float, dict[str, int]]] = {}

    async def remember(self, who: str, puzzle: str, answer: Try, at: int) -> None:
        """Store an answer, unless there is one already: only the first counts."""
        await self._documents.put_first(who, SOLVED, answer, at, puzzle)

    async def of(self, who: str) -> list[PastTry]:
        """Return what somebody has tried, the latest first."""
        return [
            PastTry(one.game, one.right, one.rating, one.daily, document.name, document.at)
            for document in await self._documents.of(who, SOLVED)
            if (one := _read(document)) is not None
        ]

    async def ratings(self, game: Game) -> dict[str, int]:
        """Return the ratings of a game's puzzles by id; they learn from new answers after a while."""
        then, ratings = self._learned.get(game.key, (-self._pause, {}))
        if time.monotonic() - then < self._pause and ratings:
            return ratings
        shipped = {id_: posed.puzzle.rating for id_, posed in (await asyncio.to_thread(puzzles_of, game)).items()}
        answers = []
        for who, document in await self._documents.everybody(SOLVED):
            one = _read(document)
            if one is not None and one.game == game.key:
                answers.append((who, document.name, one.right))
        ratings = await asyncio.to_thread(partial(learned, shipped, answers))
        self._learned[game.key] = time.monotonic(), ratings
        return ratings


def _read(document: Document) -> Try | None:
    """Return an answer, None if it is not one."""
    try:
        return msgspec.convert(document.data, Try)
    except msgspec.ValidationError:
        return None
