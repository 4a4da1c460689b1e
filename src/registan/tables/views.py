"""What a table shows to a seat or to spectators, as JSON. Nothing depends on what the audience cannot know."""

from __future__ import annotations

from functools import cache
from typing import Any

from msgspec.json import decode, encode

from registan.core.errors import BadInput
from registan.core.game import SPECTATOR, Json
from registan.core.views import Sight, Views
from registan.tables.match import TableMatch
from registan.tables.pace import Clock
from registan.tables.patch import written
from registan.tables.reading import NOTHING, Log
from registan.tables.seats import Seat
from registan.tables.sight import Audience
from registan.tables.table import Table
from registan.tables.texts import face_of

NONE: list[Any] = []
LATER = 1 << 30
"""A line after all others."""
NO_ORDERS: Json = {}
"""A shared object, so that comparing it is free."""
NOBODY: Json = {"you": None}
"""What spectators see of their own: another shared object."""


def show(table: Table, audience: int | Audience) -> Json:
    """Return the table as an audience sees it, a seat or SPECTATOR, as plain JSON."""
    shown_: Json = decode(encode(Showing(table)(audience).whole()))
    return shown_


class Shown:
    """A table as an audience sees it: what is public, shared by all, its own, which overrides it, and the game."""

    __slots__ = ("log", "open", "own", "seq", "sight")

    def __init__(self, open_: Public, own: Json, seq: int, log: Log, sight: Sight | None = None) -> None:
        self.open, self.own = open_, own
        self.seq = seq
        """How many events the audience has learnt of."""
        self.log = log
        self.sight = sight
        """What it sees of the game; None if `own` has the view."""

    def whole(self) -> Json:
        """Return the whole view; the lines of its log are encoded already."""
        shown_ = {**self.open.json, "seq": self.seq, **self.own, "log": self.log.all()}
        if self.sight is not None:
            shown_["view"] = self.sight.json()
        return shown_


class Public:
    """What everybody sees of a table at one moment, except the game. The table must not change any more."""

    __slots__ = ("_goes_on", "_json", "_table")

    def __init__(self, table: Table) -> None:
        self._table, self._goes_on = table, _while_it_goes_on(table)
        self._json: Json | None = None

    @property
    def json(self) -> Json:
        """All of it; usually only what has changed is needed."""
        if self._json is None:
            self._json = _public(self._table)
        return self._json

    def changes(self, before: Public) -> bytes:
        """Return what has changed since another moment, encoded: usually only clocks."""
        if self._goes_on is not None and self._goes_on == before._goes_on:
            was, now = before._table.clock, self._table.clock
            if was is not None and now is not None:
                return _clock_changes(was, now, self._table.seats)
        old = before.json
        return b",".join(filter(None, [written(old[name], now, (name,)) for name, now in self.json.items()]))


def _public(table: Table) -> Json:
    match, ended = table.match, table.ended
    return {
        "table": table.created.table,
        "status": "over" if table.status == "running" and ended else table.status,
        **_head(table),
        "watch": table.watch,
        "delay": table.delay,
        "seats": [_seat(table, i) for i in range(len(table.seats))],
        "proposal": _proposal(table),
        "fairness": table.fairness_if(ended),
        "awaited": table.awaited,
        "call_off": table.call_off,
        "counting": table.counting,
        "paused_by": table.paused_by if table.status == "paused" else None,
        "rematch": {"seat": table.rematch[0], "table": table.rematch[1]} if table.rematch else None,
        "winners": match.winners() if match is not None and ended and match.over else None,
    }


def _while_it_goes_on(table: Table) -> tuple[Any, ...] | None:
    """Return everything that may change in what everybody sees besides the clocks, as long as nothing special is on."""
    if table.status != "running" or table.proposal is not None or table.rematch is not None or table.ended:
        return None
    return (
        table.created, table.seats, table.watch, table.delay, table.counting, table.scheme, table.lowered, table.hints,
    )  # fmt: skip


def _clock_changes(was: Clock, now: Clock, seats: list[Seat]) -> bytes:
    """Return what has changed in the clocks of seats (`_seat`), encoded."""
    changes = []
    for i, seat in enumerate(seats):
        old, new = was.since.get(i), now.since.get(i)
        if old == new and was.bank[i] == now.bank[i]:
            continue
        if was.bank[i] != now.bank[i]:
            changes.append(b'[["seats",%d,"bank"],%d]' % (i, now.bank[i]))
        if (old and old[0]) != (new and new[0]):
            changes.append(b'[["seats",%d,"since"],%b]' % (i, b"%d" % new[0] if new else b"null"))
        until = now.deadline(i)
        if seat.by_hand and was.deadline(i) != until:
            changes.append(b'[["seats",%d,"until"],%b]' % (i, b"null" if until is None else b"%d" % until))
    return b",".join(changes)


class Showing:
    """A table at one moment, for all audiences. What is the same for everybody is made once and shared.

    Never modify what is shown.
    """

    def __init__(self, table: Table) -> None:
        self.table, self.open = table, Public(table)
        self._views: Views | None = None
        self._hints_agreed = bool(table.hinters) or len(table.people("hints")) < 2
        """Whether anybody at all may take hints, unless the game is rated."""
        special = table.stops or table.quiet_since or table.orders or table.plans or table.muted
        self._plain = not special and table.match is not None and table.match.settled
        """Whether nobody sees anything of their own but the game, the log, and what they may do."""
        self._goes_on = self._plain and not table.ended

    def __call__(self, audience: int | Audience) -> Shown:
        """Return the table as an audience sees it."""
        who = audience if isinstance(audience, Audience) else Audience(audience)
        seq = who.seq(self.table)
        if self.table.match is None:
            return Shown(self.open, {"you": None if who.seat == SPECTATOR else who.seat, "view": None}, seq, NOTHING)
        return self._to_spectators(seq, who.held) if who.seat == SPECTATOR else self._to_seat(seq, who.seat)

    def _to_seat(self, seq: int, seat: int) -> Shown:
        table, match = self.table, self.table.playing
        # A seat that is asked quietly sees an earlier moment, which no other seat sees.
        then = match if self._plain else match.for_seat(seat)
        log = then.telling(seat)
        undo = then.has_decided(seat) and (self._goes_on or not (then.over or table.ended_for([seat])))
        hints = self._hints_agreed and table.may_hint(table.seats[seat].who)
        own = _plain_own(seat, undo, hints)
        if self._plain:
            return Shown(self.open, own, seq, log, self._now().sight(seat))
        own = own | {
            "stopped": seat in table.stops,
            "sale_until": table.quiet_deadlines().get(seat) if table.quiet_since else None,
            "orders": _orders(table, seat) if table.orders else NO_ORDERS,
            "next": [given.plan.shown() for given in table.plans[seat]] if seat in table.plans else NONE,
            "muted": sorted(whom for reader, whom in table.muted if reader == seat) if table.muted else NONE,
        }
        if then is not match:
            return Shown(self.open, {**own, **self._before(seat), "view": then.view(seat)}, seq, log)
        return Shown(self.open, own, seq, log, self._now().sight(seat))

    def _to_spectators(self, seq: int, held: tuple[int, ...]) -> Shown:
        table, match = self.table, self.table.playing
        if table.watch == "none" and not table.ended_for(held):
            raise BadInput("error.house.no_spectators")
        question = table.question_of(held)
        if question is not None:
            then = match.moment(question)
            asked = match.decisions[question].seat
            own = {**NOBODY, **self._before(asked), "view": then.view(SPECTATOR)}
            return Shown(self.open, own, seq, then.telling())
        if table.watch == "hands" and not held:
            return self._with_hands(seq)
        return Shown(self.open, NOBODY, seq, match.telling(), self._now().sight())

    def _with_hands(self, seq: int) -> Shown:
        """Show all hands, and the game with them, as they were some moves ago; at the end, as they are."""
        match, upto = self.table.playing, Audience().upto(self.table)
        count = len(match.decisions)

        def then(question: int | None) -> TableMatch:
            before = min(count if number is None else number for number in (upto, question))
            return match if before == count else match.moment(before)

        hands = [then(match.question_of(seat)).view(seat) for seat in range(match.players)]
        own = {**NOBODY, "hands": hands, "view": then(None).view(SPECTATOR)}
        return Shown(self.open, own, seq, then(None).telling())

    def _before(self, seat: int) -> Json:
        """Return what a seat that is asked quietly sees of the table itself: nothing later than the question."""
        table = self.table
        clock = table.quiet_clocks.get(seat)
        lines = len(table.playing.for_seat(seat).written)
        return {
            "status": table.status,
            "seats": [
                {**_seat(table, i, clock), "lowered": None, "hints": _hints(table, i, lines)}
                for i in range(len(table.seats))
            ],
            "fairness": table.fairness_if(False),
            "rematch": None,
            "winners": None,
        }

    def _now(self) -> Views:
        if self._views is None:
            self._views = self.table.playing.views()
        return self._views


@cache
def _plain_own(seat: int, undo: bool, hints: bool) -> Json:
    """Return what a seat sees of its own, apart from the game: one object for all tables."""
    return {
        "you": seat,
        "undo": undo,
        "hints": hints,
        "stopped": False,
        "sale_until": None,
        "orders": NO_ORDERS,
        "next": NONE,
        "muted": NONE,
    }


def _head(table: Table) -> Json:
    made = table.created
    return {
        "game": made.game,
        "box": made.box,
        "own_box": made.sha256 if made.contents else "",
        "options": made.options,
        "first": made.first,
        "pace": {
            "kind": made.pace.kind,
            "bank": made.pace.bank,
            "increment": made.pace.increment,
            "days": made.pace.days,
            "tick": made.pace.tick,
        },
        "listed": made.listed,
        "rated": made.rated,
        "watch": table.watch,
        "delay": table.delay,
        "stand_in": made.stand_in,
        "before": made.before,
    }


def _seat(table: Table, i: int, clock: Clock | None = None) -> Json:
    """Return a seat, with its clock: what is left and since when it runs, so that no message is needed to count."""
    seat = table.seats[i]
    shown_: Json = {
        "kind": seat.kind,
        "name": seat.name,
        "face": seat.face or (face_of(seat.who) if seat.kind == "person" else ""),
        "level": seat.level,
        "host": seat.kind == "person" and seat.who == table.created.host,
        "away": seat.away,
        "resigned": seat.resigned,
        "lowered": _lowered(table, i),
        "hints": _hints(table, i),
    }
    clock = clock or table.clock
    if clock is not None:
        since = clock.since.get(i)
        shown_ |= {
            "bank": clock.bank[i],
            "since": since[0] if since else None,
            "until": clock.deadline(i) if seat.by_hand else None,
        }
    return shown_


def _hints(table: Table, i: int, before: int = LATER) -> int:
    """Return how many hints a seat has taken, before a line of the record."""
    return sum(who == i and line < before for line, who in table.hints)


def _lowered(table: Table, i: int) -> Json | None:
    """Return the level at which a bot plays if it is not its own, and why."""
    if i not in table.lowered:
        return None
    level, why = table.lowered[i]
    return {"level": level, "why": why}


def _proposal(table: Table) -> Json | None:
    if table.proposal is None:
        return None
    agreed = [i for i, seat in enumerate(table.seats) if seat.kind == "person" and seat.who in table.agreed]
    return {"seat": table.proposal.seat, "what": table.proposal.what, "agreed": agreed}


def _orders(table: Table, seat: int) -> Json:
    """Return the orders of a seat that still stand, as the game shows them."""
    rules = table.playing.game.orders
    return rules.show(table.orders[seat]) if rules is not None and seat in table.orders else NO_ORDERS
