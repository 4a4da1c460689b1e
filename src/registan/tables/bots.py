"""Bots at a table: the decisions they are asked for, and what becomes of their answers."""

from __future__ import annotations

import hashlib
import threading
from dataclasses import dataclass
from typing import Any

import numpy as np

from registan.bots import find_bot
from registan.bots.bot import Bot
from registan.bots.random import RandomBot
from registan.core.chance import WORDS, Stream
from registan.core.compiled import INTERPRET
from registan.core.engine import Engine
from registan.core.game import Ints
from registan.tables import events as e
from registan.tables.table import Table

LOOK_AHEAD = ("search", "merchant", "master")
_thread = threading.local()


def bot_here(level: str) -> Bot:
    """Return this thread's bot of a level; a search keeps its tree if a seat is asked twice in a row."""
    if getattr(_thread, "level", None) != level:
        _thread.level, _thread.bot = level, find_bot(level)
    bot: Bot = _thread.bot
    return bot


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

    def level_now(self) -> str:
        """Return the level to play at: a lower one until the search is compiled, so that nobody waits for it."""
        looks_ahead = self.level.partition(":")[0] in LOOK_AHEAD
        return "greedy" if looks_ahead and not (self.engine.compiled or INTERPRET) else self.level

    def think(self) -> int:
        """Return the bot's action. This may take long: never call it in an event loop."""
        try:
            return bot_here(self.level_now()).choose(self.engine, self.hidden, self.seat, self.rng)
        except Exception:
            # A bot that fails must not stop the table.
            return RandomBot().choose(self.engine, self.hidden, self.seat, self.rng)


def questions(table: Table) -> list[Question]:
    """Return the decisions for bots: those of their own seats, and of people who are away."""
    match = table.match
    if match is None or table.finished or table.status == "paused":
        return []
    asked = []
    for seat, held in enumerate(table.seats):
        if held.kind == "open" or held.by_hand or not table.asked(seat):
            continue
        rng = np.zeros(WORDS, np.uint64)
        key = hashlib.sha256(b"bots" + table.created.secret).digest()
        Stream(key).fill(rng, table.seq * len(table.seats) + seat)
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
    return since + max(1, -((since - now) // pace)) * pace if pace else now


def reply(table: Table, question: Question, action: int, at: int) -> list[e.Event]:
    """Play a bot's action, unless it is no longer wanted."""
    match, seat = table.match, question.seat
    if match is None or table.finished or table.status == "paused" or table.seats[seat].by_hand:
        return []
    if not table.asked(seat) or _moment(table, seat) != question.moment:
        return []
    timed = table.timed
    if timed is not None and action == timed.wait:
        return []  # the clock waits for everybody
    move = match.game.moves.write(match.box, match.for_seat(seat).state, seat, action)
    event = e.Moved(at=at, seat=seat, move=move, by="bot")
    table.add(event, action)
    return [event]
