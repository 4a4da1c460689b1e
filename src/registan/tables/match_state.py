"""The state of a match at a table as plain data, for encoding."""

from __future__ import annotations

from typing import Any

import msgspec
import numpy as np

from registan.core.chance import Stream
from registan.core.game import Json
from registan.core.match import Written
from registan.core.registry import find
from registan.tables.boxes import box_of
from registan.tables.decisions import Decision, same
from registan.tables.match import TableMatch
from registan.tables.shelf import Befores, Lines

Answers = list[tuple[int, int]]


class MatchState(msgspec.Struct, array_like=True):
    """A match. States are indexes into the list of distinct ones, since most occur several times."""

    game: str
    version: int
    box: str
    players: int
    options: dict[str, Any]
    key: bytes
    """The key of its random stream."""
    states: list[bytes]
    now: int
    setup: Json
    opened: int | None
    """The state in which the open question was asked."""
    answers: Answers
    """The sealed answers to the open question."""
    before: list[tuple[int, int, int | None, Answers]]
    """For each decision the state, number of lines, `opened` and `answers` before it."""
    written: list[tuple[Json, int | Json | None, int]]
    """Each line with `Written.asked` (a state, or something else) and the state after it."""
    decisions: list[Decision]
    taken_back: list[Json]
    contents: str = ""
    """The file of the box, if it is not one of the game."""

    @classmethod
    def of(cls, match: TableMatch) -> MatchState:
        """Return the state of a match."""
        stream = match._stream
        assert isinstance(stream, Stream)
        places: dict[bytes, int] = {}

        def place(state: Any) -> int:
            data = state if isinstance(state, bytes) else state.tobytes()
            return places.setdefault(data, len(places))

        def place_if(state: Any) -> Any:
            return place(state) if isinstance(state, np.void) else state

        kept = cls(
            game=match.game.key,
            version=match.game.version,
            box=match.box.key,
            players=match.players,
            options=match.options,
            key=stream.key,
            states=[],
            now=place(match.state),
            setup=match.setup,
            opened=place_if(match._opened),
            answers=match._answers,
            before=[(place(data), lines, place_if(then), answers) for data, lines, then, answers in match._before],
            written=[(w.line, place_if(w.asked), place(w.after)) for w in match.written],
            decisions=match.decisions,
            taken_back=match.taken_back,
            contents=match.box.contents,
        )
        kept.states = list(places)
        return kept

    def match(self) -> TableMatch:
        """Return the match in this state."""
        game, box = find(self.game, self.version), box_of(self)
        match = TableMatch(game, box, self.players, self.options, Stream(self.key))
        records = np.frombuffer(bytearray(b"".join(self.states)), game.rules.STATE)

        def record_if(place: Any) -> Any:
            return records[place] if isinstance(place, int) else place

        match.restore(self.states[self.now])
        match._setup = self.setup
        match._opened = record_if(self.opened)
        match._answers = self.answers
        match._before = Befores(
            (self.states[i], lines, record_if(then), answers) for i, lines, then, answers in self.before
        )
        match.written = Lines(Written(line, record_if(asked), records[after]) for line, asked, after in self.written)
        match.decisions, match.taken_back = list(map(same, self.decisions)), self.taken_back
        match.forget_log()
        return match
