"""Bots at a table: the decisions they are asked for, and what becomes of their answers."""

from __future__ import annotations

import hashlib
import threading
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import msgspec
import numpy as np

from registan.bots import LADDER, LEVELS, check_level, find_bot
from registan.bots.bot import Bot
from registan.bots.ladder import level_of
from registan.bots.policy import choice
from registan.bots.search import simulate
from registan.core.chance import WORDS, Stream
from registan.core.engine import Engine
from registan.core.game import Game, Ints
from registan.core.registry import find
from registan.tables import events as e
from registan.tables.boxes import box_of
from registan.tables.table import Table

AT_A_GLANCE = "greedy"
"""What a bot plays like if it cannot or may not think."""
LAST_RESORT = "random"
_thread = threading.local()


def bot_here(level: str) -> Bot:
    """Return this thread's bot of a level; a search keeps its tree if a seat is asked twice in a row."""
    if getattr(_thread, "level", None) != level:
        check_level(level)  # the name of a bot may also be a command: none that a table brings along is ever run
        _thread.level, _thread.bot = level, find_bot(level)
    bot: Bot = _thread.bot
    return bot


def looks_ahead(game: Game, level: str) -> bool:
    """Whether a bot of this level searches in a game."""
    return level in LADDER and level_of(game, level).looks_ahead


def compiled_for(game: Game, level: str) -> Callable[..., Any] | None:
    """Return what a bot of this level needs to be compiled: it searches, or goes by what was learned."""
    if level not in LADDER:
        return None
    found = level_of(game, level)
    return simulate if found.looks_ahead else choice if found.learned else None


@dataclass(frozen=True)
class Choice:
    """What a bot chose, at which level; `why` that is not the level of its seat."""

    action: int
    level: str
    why: str = ""
    failures: tuple[str, ...] = ()
    """The tracebacks of the bots that failed before."""


@dataclass(frozen=True)
class Question:
    """A decision wanted from a bot: what it may see, and how to tell later whether it is still wanted."""

    engine: Engine
    seat: int
    level: str
    hidden: Any
    rng: Ints
    moment: tuple[int, int, int]
    quiet: bool
    """Whether nobody else may know that the seat is asked."""
    since: int | None
    """When the last thing happened that everybody knows of, if everybody sees when the answer comes."""

    def level_now(self) -> tuple[str, str]:
        """Return the level to play at, and why it is not the seat's: nobody waits for a search to be compiled."""
        if self.level not in LEVELS:  # a table of an earlier version, or of another house
            return AT_A_GLANCE, "level"
        needed = compiled_for(self.engine.game, self.level)
        if needed is not None and not self.engine.ready(needed):
            return AT_A_GLANCE, "compiling"
        return self.level, ""

    def think(self, level: str | None = None, why: str = "") -> Choice:
        """Return the choice of a bot of a level, by default `level_now`; never call this in an event loop.

        If it fails or chooses what is illegal, the bot that plays at a glance chooses, and if that fails too, chance.
        """
        if level is None:
            level, why = self.level_now()
        legal = self.engine.legal(self.hidden, self.seat)
        failures: list[str] = []
        for tried in dict.fromkeys((level, AT_A_GLANCE, LAST_RESORT)):
            try:
                # Copies, since a bot that fails may have changed them.
                action = bot_here(tried).choose(self.engine, self.hidden.copy(), self.seat, self.rng.copy())
                if action in legal:
                    return Choice(action, tried, "failed" if failures else why, tuple(failures))
                raise ValueError(f"{tried} chose {action}, which is not legal")
            except Exception:
                _thread.level = None
                failures.append(traceback.format_exc())
        raise RuntimeError("\n".join(failures))

    def packed(self) -> bytes:
        """Return what somebody else needs to think about it: what the bot may see, and nothing else of the table."""
        game, box = self.engine.game, self.engine.box
        seen = (self.seat, self.level, self.hidden.tobytes(), self.rng.tobytes(), self.quiet)
        return _encode(PackedQuestion(game.key, game.version, box.key, box.contents, *seen))

    def id(self, table: str) -> bytes:
        """Return what is the same for whoever asks this at a table, and different for any other decision there."""
        decision = f"{table} {self.seat} {self.level} {self.moment} ".encode()
        return hashlib.sha256(decision + self.hidden.tobytes()).digest()[:16]


class PackedQuestion(msgspec.Struct, array_like=True):
    """A question for a bot in another process."""

    game: str
    version: int
    box: str
    contents: str
    seat: int
    level: str
    hidden: bytes
    rng: bytes
    quiet: bool


_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(PackedQuestion).decode


def unpacked(data: bytes) -> Question:
    """Return a packed question; whoever asked it knows at which moment."""
    made = _decode(data)
    game = find(made.game, made.version)
    hidden = np.frombuffer(bytearray(made.hidden), game.rules.STATE)
    rng = np.frombuffer(bytearray(made.rng), np.uint64)
    return Question(Engine(game, box_of(made)), made.seat, made.level, hidden, rng, (0, 0, 0), made.quiet, None)


def questions(table: Table) -> list[Question]:
    """Return the decisions for bots: those of their own seats, and of people who are gone.

    While nobody plays by hand, bots wait: whoever comes back finds the game as they left it.
    """
    match = table.match
    if match is None or table.finished or table.status == "paused":
        return []
    if all(seat.by_hand for seat in table.seats):
        return []
    people = [seat for seat in table.seats if seat.kind == "person"]
    if people and not any(seat.by_hand for seat in people):
        return []
    asked = []
    for seat, held in enumerate(table.seats):
        if held.kind == "open" or held.by_hand or not table.asked(seat):
            continue
        rng = np.zeros(WORDS, np.uint64)
        key = hashlib.sha256(b"bots" + table.created.secret).digest()
        Stream(key).fill(rng, table.seq_of(seat) * len(table.seats) + seat)  # of what the seat knows
        level = held.level or table.created.stand_in
        hidden = match.for_seat(seat).hidden(seat)
        quiet = match.question_of(seat) is not None
        since = None if quiet or table.timed is not None else table.touched
        asked.append(Question(match.engine, seat, level, hidden, rng, _moment(table, seat), quiet, since))
    return asked


def _moment(table: Table, seat: int) -> tuple[int, int, int]:
    """Return a value that changes when a seat is asked something else."""
    match = table.playing
    return len(match.for_seat(seat).written), match.decisions_of(seat), table.counting or 0


def release(since: int, now: int, pace: int) -> int:
    """Return when a bot's answer is given, from what everybody knows: a whole number of paces after `since`.

    So the time it comes tells nothing of who else was asked meanwhile, as long as that takes less than a pace.
    """
    since = min(since, now)  # the clock may have been set back
    return since + max(1, -((since - now) // pace)) * pace if pace else now


def reply(table: Table, question: Question, choice: Choice, at: int) -> list[e.Event]:
    """Play what a bot chose, unless it is no longer wanted, and say at which level if that has changed."""
    match, seat = table.match, question.seat
    if match is None or table.finished or table.status == "paused" or table.seats[seat].by_hand:
        return []
    if not table.asked(seat) or _moment(table, seat) != question.moment:
        return []
    events = _level_changed(table, question, choice, at)
    action, timed = choice.action, table.timed
    if timed is not None and action == timed.wait:
        return events  # the clock waits for everybody
    move = match.game.moves.write(match.box, match.for_seat(seat).state, seat, action)
    event = e.Moved(at=at, seat=seat, move=move, by="bot")
    table.add(event, action)
    return [*events, event]


def _level_changed(table: Table, question: Question, choice: Choice, at: int) -> list[e.Event]:
    """Say at which level a bot plays if that has changed; never of a quiet question, of which nobody may know."""
    level = (choice.level, choice.why) if choice.why else None
    if question.quiet or table.lowered.get(question.seat) == level:
        return []
    event = e.Lowered(at=at, seat=question.seat, level=choice.level if level else "", why=choice.why)
    table.add(event)
    return [event]
