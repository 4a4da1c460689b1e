"""Studies: positions that are not at a table. A study shows any moment of a game, and plays on from there.

Nothing of it is stored: whoever studies sends everything each time, and the same request gives the same answer.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Any

import msgspec
import numpy as np

from registan.core.chance import WORDS, Stream
from registan.core.errors import BadInput, BadMove, BadRecord
from registan.core.game import SPECTATOR, Json
from registan.core.record import replay
from registan.core.registry import find
from registan.tables.bots import Question
from registan.tables.hints import GuideQuestion, guide_question
from registan.tables.match import TableMatch
from registan.tables.patch import Change, diff


class Moments(msgspec.Struct):
    """Moments of a game as an audience sees them: the first one whole, each later one as a patch."""

    first: Json
    patches: list[list[Change]]
    points: list[list[int]]
    """By moment: everybody's points, as if the game had ended there."""
    read: list[int]
    """After how many lines of the record each line of the audience's log was written."""


def open_record(record: Json, box: str | None = None) -> TableMatch:
    """Return the match of a record; `box` has the contents of a box file that is not built in.

    Raise BadRecord if it does not replay.
    """
    try:
        return TableMatch.replayed(replay(record, find, None if box is None else box.encode("utf-8", "replace")))
    except RecursionError as error:
        raise BadRecord(None, None, BadMove("error.json", why=error)) from None


def readable(match: TableMatch, seat: int = SPECTATOR) -> list[int]:
    """Return after how many lines of the record each line of a seat's log was written."""
    return [number + 1 for number, _ in match.readable(seat)]


def checked_seat(match: TableMatch, seat: int | None) -> int:
    """Return the audience that a request names; raise BadInput if there is no such seat."""
    if seat is not None and seat >= match.players:
        raise BadInput("error.seat", seat=seat, last=match.players - 1)
    return SPECTATOR if seat is None else seat


def moments(match: TableMatch, seat: int, at: int, to: int) -> Moments:
    """Return the moments after `at` to `to` lines of the record, or to its end."""
    numbers = _range(at, to, len(match.written))
    return _moments(match, seat, [match.after(lines) for lines in numbers])


def looked_back(match: TableMatch, seat: int, at: int, to: int) -> Moments:
    """Return the moments after `at` to `to` lines of a seat's log, or to its end, in a game that is still going on.

    Lines that the seat may not read, or no longer read, do not count, and their moments are not shown.
    """
    read, log = readable(match, seat), match.told(seat)
    shown = [
        as_shown(match.after(read[line - 1] if line else 0), seat, log[:line]) for line in _range(at, to, len(read))
    ]
    # The record may have lines of which the seat must not know: their numbers are not told either.
    numbers = list(range(1, len(read) + 1))
    return Moments(shown[0], [diff(old, new) for old, new in pairwise(shown)], [], numbers)


def _range(at: int, to: int, last: int) -> range:
    """Return the lines of the moments that are wanted; raise BadInput if there is none."""
    wanted = range(at, min(to, last) + 1)
    if at < 0 or not wanted:
        raise BadInput("error.house.moment", line=at, last=last)
    return wanted


def _moments(match: TableMatch, seat: int, then: Sequence[TableMatch]) -> Moments:
    shown = [as_shown(each, seat, log) for each, log in zip(then, match.told_at(then, seat), strict=True)]
    states = np.frombuffer(bytearray(b"".join(each.state.tobytes() for each in then)), match.game.rules.STATE)
    points: list[list[int]] = match.engine.scores(states)[:, : match.players, 0].tolist()
    return Moments(shown[0], [diff(old, new) for old, new in pairwise(shown)], points, readable(match, seat))


def as_shown(match: TableMatch, seat: int, log: list[msgspec.Raw] | None = None) -> Json:
    """Return what a table in this position would show of its game, with the seat's log if it is known already."""
    return {
        "status": "over" if match.over else "running",
        "you": None if seat == SPECTATOR else seat,
        "winners": match.winners() if match.over else None,
        "view": match.view(seat),
        "log": match.told(seat) if log is None else log,
    }


class Branch:
    """A game that goes on differently from some line of the record: chance comes from a seed."""

    def __init__(self, match: TableMatch, at: int, seed: int) -> None:
        if not 0 <= at <= len(match.written):
            raise BadInput("error.house.moment", line=at, last=len(match.written))
        self.match = then = match.copy()
        then._ways, then._outcomes = {}, match._outcomes.copy()  # every branch has its own
        before, self.at = _decision(match, at)
        then.back_to(before)
        key = hashlib.sha256(b"registan study %d" % seed).digest()
        then._stream = Stream(key)
        self._bots = Stream(hashlib.sha256(b"bots" + key).digest())
        self._hints = Stream(hashlib.sha256(b"hints" + key).digest())
        self.moves: list[Json] = []
        """The decisions since the line, in order."""
        self._kept: Json | None = None

    def play(self, moves: Iterable[Any]) -> None:
        """Play moves, each with its seat; raise IllegalMove or BadMove at the first that is not possible."""
        match = self.match
        for move in moves:
            if not isinstance(move, dict):
                raise BadMove("error.record.line")
            if match.over:
                raise BadMove("error.record.over")
            self._act(move.get("seat"), match.game.moves.read(match.box, match.state, move))

    def order(self, seat: int, orders: Json) -> None:
        """Let a seat's orders answer for it as long as they can."""
        rules = self.match.game.orders
        if rules is None:
            raise BadInput("error.house.orders")
        self._kept = rules.give(self.match.box, self.match.hidden(seat)[0], seat, orders)

    def question(self, seat: int, level: str) -> Question | None:
        """Return the next decision of a bot, None if the seat (or, for a spectator, nobody) must decide."""
        while self._answered(seat):
            pass
        match = self.match
        if match.over or seat in match.waiting:
            return None
        asked, rng = match.waiting[0], np.zeros(WORDS, np.uint64)
        self._bots.fill(rng, len(match._before) * match.players + asked)
        return Question(match.engine, asked, level, match.hidden(asked), rng, (0, 0, 0), quiet=False, since=None)

    def answer(self, question: Question, action: int) -> None:
        """Play what a bot chose."""
        self._act(question.seat, action)

    def guide_question(self, seat: int) -> GuideQuestion | None:
        """Return the decision that the seat has to make now, for the guide; None if it has none."""
        match = self.match
        if match.over or seat not in match.waiting:
            return None
        rng = np.zeros(WORDS, np.uint64)
        self._hints.fill(rng, len(match._before) * match.players + seat)
        return guide_question(match, seat, rng)

    def moments(self, seat: int) -> Moments:
        """Return the moments since the line, up to the present one."""
        match = self.match
        then = [match.after(lines) for lines in range(self.at, len(match.written) + 1)]
        # Answers that are sealed, or change nothing that is written, are in no line.
        if then[-1].state.tobytes() != match.state.tobytes():
            then.append(match)
        return _moments(match, seat, then)

    def _answered(self, seat: int) -> bool:
        """Let the orders of a seat answer, and return whether they did."""
        match, rules = self.match, self.match.game.orders
        if self._kept is None or rules is None or seat not in match.waiting:
            return False
        action = rules.answer(match.box, match.hidden(seat)[0], seat, self._kept)
        if action is None:
            return False
        self._act(seat, action)
        return True

    def _act(self, seat: Any, action: int) -> None:
        match = self.match
        match.check(seat, action)
        self.moves.append({"seat": seat, **match.game.moves.write(match.box, match.state, seat, action)})
        match.play_action(seat, action)


def _decision(match: TableMatch, at: int) -> tuple[int, int]:
    """Return the decision with which play goes on after a line of the record, and the line after which it is asked.

    Lines between two decisions, such as the answers of several seats to one question, go back to the one before.
    """
    asked = [(i, lines) for i, (_, lines, _, answers) in enumerate(match._before) if not answers]
    if not match._answers:
        asked.append((match.moves_played, len(match.written)))
    line = max(lines for _, lines in asked if lines <= at)
    return next(i for i, lines in asked if lines == line), line
