"""The log of a match as each seat reads it: line by line, with what moves brought, and nothing read twice."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from functools import lru_cache
from operator import is_
from threading import Lock
from typing import Any, NamedTuple

import numpy as np
from msgspec import Raw
from msgspec.json import encode

from registan.core.game import SPECTATOR, Json
from registan.core.match import Match
from registan.core.views import assembly
from registan.tables.shelf import Lines


class Log:
    """The first `count` lines of a list that only grows: what follows is for later moments.

    So the log of a table that goes on is never copied: its lines are many, and far apart in memory.
    """

    __slots__ = ("_lines", "count")

    def __init__(self, lines: list[Any], count: int) -> None:
        self._lines, self.count = lines, count

    def followed_by(self, new: list[Any]) -> Log:
        """Return these lines and new ones."""
        with _growing:
            if not self.count or len(self._lines) != self.count:  # for somebody else, it has gone on differently
                return Log([*self.all(), *new], self.count + len(new))
            self._lines += new
            return Log(self._lines, self.count + len(new))

    def since(self, before: Log) -> list[Any] | None:
        """Return the lines that have followed others, None if it is not these that they have followed."""
        if before._lines is self._lines and 0 < before.count <= self.count:
            return self._lines[before.count : self.count]
        return None

    def all(self) -> list[Any]:
        """Return the lines."""
        return self._lines[: self.count]


_growing = Lock()
"""Whoever studies a game reads its log in another thread."""


class Read(NamedTuple):
    """What somebody has read of the log."""

    cuts: int
    """How often lines had been taken back before."""
    written: int
    """How many lines of the record were there."""
    gone: int
    """How many of them nobody may look up again."""
    log: Log


class Joined(NamedTuple):
    """Lines that somebody has read, those that were new, and both."""

    old: Log
    new: list[Any]
    all: Log


NOTHING = Log([], 0)
UNREAD = Read(0, 0, 0, NOTHING)


_kept = lru_cache(1 << 12)(Raw)
"""Many lines are the same at several tables, and those that were written lately are kept once."""


class ReadMatch(Match):
    """A match whose log is read by those who watch it."""

    written: Lines
    _cuts: int = 0
    """How often decisions were taken back."""
    _gone: tuple[int, int, Collection[int]] | None = None
    """The lines that are forgotten, found after how many moves and cuts."""
    _read: dict[int, Read]
    _told: dict[int, Read]
    """By seat: its log so far, without and with what moves brought."""
    _ways: dict[int, list[tuple[Json, Raw]]]
    """By line that is not the same for all: the different versions that seats read; not of lines that are put away."""
    _outcomes: list[Raw | None]
    """By line that is the same for all: what was written with what the move brought, if somebody has read it."""
    _open: int = 0
    """The set of lines of those that hide nothing from spectators, and so from nobody."""
    _joined: Joined

    def forget_log(self) -> None:
        """Start without any cached lines."""
        self._read, self._told, self._ways, self._outcomes, self._open = {}, {}, {}, [], 0
        self._gone, self._joined = None, Joined(NOTHING, [], NOTHING)

    def log(self, seat: int = SPECTATOR) -> list[Json]:
        """Return the lines of the record as the seat may read them."""
        return self._lines(self._read, seat, self.line_for).all()

    def told(self, seat: int = SPECTATOR) -> list[Raw]:
        """Return the same lines, each with what the move brought (`brings`) if everybody has seen it.

        They are encoded: that takes a third of the memory, and the log is the longest part of a table.
        """
        return self.telling(seat).all()

    def telling(self, seat: int = SPECTATOR) -> Log:
        """Return these lines as a log that can be compared with that of another moment."""
        return self._lines(self._told, seat, self._with_outcome)

    def told_at(self, moments: Sequence[ReadMatch], seat: int = SPECTATOR) -> list[list[Raw]]:
        """Return the log at each of some earlier moments (`after`), where every line tells what came of it in the end.

        Several answers to one question are lines of their own, but what came of them depends on all of them.
        """
        lines = [self._with_outcome(i, seat) for i in range(max(len(then.written) for then in moments))]
        logs = []
        for then in moments:
            gone = then._forgotten()
            known = enumerate(lines[: len(then.written)])
            logs.append([line for i, line in known if line and i not in gone])
        return logs

    def _lines(self, reads: dict[int, Read], seat: int, line_for: Callable[[int, int], Any]) -> Log:
        read, gone, written = reads.get(seat, UNREAD), self._forgotten(), len(self.written)
        count, log = read.written, read.log
        if count and (read.cuts != self._cuts or read.gone != len(gone)):
            count, log = 0, NOTHING
        if count < written:
            new = [line for i in range(count, written) if (not gone or i not in gone) and (line := line_for(i, seat))]
            log = self._join(log, new)
            reads[seat] = Read(self._cuts, written, len(gone), log)
        return log

    def _join(self, old: Log, new: list[Any]) -> Log:
        """Return both; whoever reads the same lines as somebody before gets the same log."""
        if not new:
            return old
        known = self._joined
        if known.old is not old or len(known.new) != len(new) or not all(map(is_, known.new, new)):
            known = self._joined = Joined(old, new, old.followed_by(new))
        return known.all

    def _forgotten(self) -> Collection[int]:
        """Return the lines that nobody may look up again, found once for all who read them now."""
        known, moves = self._gone, len(self._before)
        if known is None or known[0] != moves or known[1] != self._cuts:
            lines = (w.line for w in self.written)
            known = self._gone = moves, self._cuts, self.game.moves.forgotten(self.state, lines)
        return known[2]

    def _with_outcome(self, i: int, seat: int) -> Raw | None:
        """Return a line as a seat may read it, with what the move brought as far as spectators knew."""
        if self._open >> i & 1:
            return self._outcomes[i]
        whole = self.written[i].line
        line = self.game.moves.redact(whole, seat, self.players)
        if not line:
            return None
        has_outcome = line.get("do") in getattr(self.game.view, "TOLD", ())
        if line is not whole and not has_outcome:
            return self._way(i, line)
        outcomes = self._outcomes
        outcomes += [None] * (i + 1 - len(outcomes))
        told = outcomes[i]
        if told is None:
            brings = None
            if has_outcome:
                brings = self._settled(i) if hasattr(self.game.view, "settled") else self._brought(i)
            told = outcomes[i] = _kept(encode({**line, "brings": brings} if brings else line))
            if line is whole and self.game.moves.redact(whole, SPECTATOR, self.players) is whole:
                self._open |= 1 << i
        return told

    def _way(self, i: int, line: Json) -> Raw:
        """Return a version of a line; equal versions are the same object."""
        ways = self._ways.setdefault(i, [])
        for known, told in ways:
            if known == line:
                return told
        ways.append((line, _kept(encode(line))))
        return ways[-1][1]

    def _brought(self, i: int) -> Json | None:
        """Return what a move was sure to bring."""
        written = self.written[i]
        move = {k: v for k, v in written.line.items() if k != "seat"}
        action = self.game.moves.read(self.box, written.asked, move)
        asked = np.frombuffer(bytearray(written.asked.tobytes()), self._states.dtype)
        row = self.engine.openly(asked, written.line["seat"], action)
        brings: Json | None = assembly(self.game, self.box).brought(row)
        return brings

    def _settled(self, i: int) -> Json | None:
        """Return what came of an answer to a question that several were asked, when all had answered it."""
        line = self.written[i].line
        first, last = i, i
        while first and self.written[first - 1].line.get("do") == line["do"]:
            first -= 1
        while last + 1 < len(self.written) and self.written[last + 1].line.get("do") == line["do"]:
            last += 1
        answers = [w.line for w in self.written[first : last + 1]]
        states = (self._as_spectators_saw(state)[0] for state in (self.written[i].asked, self.written[last].after))
        settled: Json | None = self.game.view.settled(self.box, *states, answers, line)  # type: ignore[attr-defined]
        return settled

    def _as_spectators_saw(self, state: Any) -> Any:
        hidden = np.frombuffer(bytearray(state.tobytes()), self._states.dtype)
        self.engine.hide(hidden, SPECTATOR)
        return hidden
