"""Requests to a table. Each declares its fields, as clients send them, and what it does.

A request that is refused raises a RegistanError and changes nothing. `at` is the server's time; the table must have
caught up with it (`clocks.catch_up`) before a request is carried out.
"""

from __future__ import annotations

from typing import Annotated, Any, TypeAlias

import msgspec
from msgspec import Meta

from registan.bots import check_level
from registan.core.errors import BadInput
from registan.tables import events as e
from registan.tables.creation import MOST_DELAY, WATCH
from registan.tables.effects import read_orders
from registan.tables.fairness import commitment
from registan.tables.pace import DEAL, SECOND
from registan.tables.state import HINTS
from registan.tables.table import Table
from registan.tables.texts import (
    KEY_LENGTH,
    NAME_LENGTH,
    PHRASES,
    TEXT_LENGTH,
    clean,
    flat,
    one_of,
)

SeatNumber = Annotated[int, Meta(ge=0, le=4)]
Hex = Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]
"""32 bytes in hexadecimal."""
Key = Annotated[str, Meta(max_length=KEY_LENGTH)]
Events: TypeAlias = list[e.Event]


class Request(msgspec.Struct, tag_field="do", tag=str.lower, kw_only=True, forbid_unknown_fields=True):
    """A request to a table. Its key, if any, is returned with the answer; the same key is carried out only once."""

    key: Key = ""

    def carry_out(self, table: Table, who: str, at: int, name: str = "", face: str = "") -> Events:
        """Carry out a person's request: add its events to the table and return them.

        A second request of that person with the same key does nothing; the last event carries the key.
        """
        # Keys are per person: nobody can use up somebody else's.
        key = f"{who} {self.key}" if self.key else ""
        if key and key in table.keys:
            return []
        events = self.grant(table, who, at, name, face)
        if key and events:
            events[-1] = msgspec.structs.replace(events[-1], key=key)
            table.remember(key)
        return events

    def grant(self, table: Table, who: str, at: int, name: str, face: str) -> Events:
        """Check the request, add its events to the table, and return them."""
        raise NotImplementedError


class SeatRequest(Request, kw_only=True):
    """A request for one of the person's own seats."""

    seat: SeatNumber

    def grant(self, table: Table, who: str, at: int, name: str, face: str) -> Events:
        """Check that the seat is the person's, without saying whose it is otherwise."""
        if not table.owns(who, self.seat):
            raise BadInput("error.house.not_your_seat")
        return self.grant_seat(table, at)

    def grant_seat(self, table: Table, at: int) -> Events:
        """Check the request of the seat, add its events to the table, and return them."""
        raise NotImplementedError


# Before the start.


class Sit(Request, tag="sit", kw_only=True):
    """Take an open seat, the first one by default."""

    seat: SeatNumber | None = None
    salt: str | None = None
    """Pages of an earlier version send it; they are told to reload."""

    def grant(self, table: Table, who: str, at: int, name: str, face: str) -> Events:
        """Give the seat to the person."""
        current(self.salt)
        _not_started(table)
        free = [i for i, held in enumerate(table.seats) if held.kind == "open"]
        if (self.seat is None or table.created.rated) and table.seats_of(who):
            raise BadInput("error.house.seated")
        if not free or (self.seat is not None and self.seat not in free):
            raise BadInput("error.house.no_free_seat")
        taken = free[0] if self.seat is None else self.seat
        return _add(table, e.Sat(at=at, seat=taken, who=who, name=clean(name, NAME_LENGTH), face=face))


class Stand(Request, tag="stand", kw_only=True):
    """Leave a seat before the start. The host may also make somebody else leave."""

    seat: SeatNumber

    def grant(self, table: Table, who: str, at: int, name: str, face: str) -> Events:
        """Open the seat."""
        _not_started(table)
        theirs = range(len(table.seats)) if who == table.created.host else table.seats_of(who)
        if self.seat not in theirs or table.seats[self.seat].kind != "person":
            raise BadInput("error.house.not_your_seat")
        return _add(table, e.Stood(at=at, seat=self.seat))


class Contribute(SeatRequest, tag="contribute", kw_only=True):
    """Commit to a contribution to chance before the start: `commitment` is the SHA-256 of 32 random bytes.

    It is final as long as the seat is yours, so that nobody can try one after the other.
    """

    commitment: Hex = ""
    salt: str | None = None
    """Pages of an earlier version send it; they are told to reload."""

    def grant_seat(self, table: Table, at: int) -> Events:
        """Keep the commitment."""
        current(self.salt)
        _not_started(table)
        if not self.commitment:
            raise BadInput("error.house.commitment")
        if self.seat in table.commitments:
            raise BadInput("error.house.committed")
        return _add(table, e.Committed(at=at, seat=self.seat, commitment=self.commitment))


class Place(Request, tag="place", kw_only=True):
    """Give a seat to a bot of a level, or open it (null). Only the host may."""

    seat: SeatNumber
    level: Annotated[str, Meta(max_length=20)] | None = None

    def grant(self, table: Table, who: str, at: int, name: str, face: str) -> Events:
        """Change the seat, unless a person sits there."""
        _not_started(table)
        _host(table, who)
        if not 0 <= self.seat < len(table.seats) or table.seats[self.seat].kind == "person":
            raise BadInput("error.house.no_free_seat")
        if self.level is not None:
            check_level(self.level)
        return _add(table, e.Placed(at=at, seat=self.seat, level=self.level))


class Start(Request, tag="start", kw_only=True):
    """Start the game. Only the host may."""

    def grant(self, table: Table, who: str, at: int, name: str, face: str) -> Events:
        """Deal, if every seat is taken; first wait for the contributions that were committed to."""
        _not_started(table)
        _host(table, who)
        if any(seat.kind == "open" for seat in table.seats):
            raise BadInput("error.house.open_seats")
        if table.awaited:
            raise BadInput("error.house.awaited", names=", ".join(table.seats[seat].name for seat in table.awaited))
        return _add(table, e.Dealing(at=at) if table.commitments else e.Started(at=at, scheme=2))


class Reveal(SeatRequest, tag="reveal", kw_only=True):
    """Reveal the contribution that your seat committed to, once the deal has begun."""

    contribution: Hex

    def grant_seat(self, table: Table, at: int) -> Events:
        """Keep it, and deal after the last one."""
        if table.status != "dealing":
            raise BadInput("error.house.not_dealing")
        if commitment(bytes.fromhex(self.contribution)) != table.commitments.get(self.seat):
            raise BadInput("error.house.reveal")
        if self.seat in table.contributions:
            return []
        revealed = _add(table, e.Revealed(at=at, seat=self.seat, contribution=self.contribution))
        return revealed if table.awaited else [*revealed, *_add(table, e.Started(at=at, scheme=2))]


class CallOff(Request, tag="call_off", kw_only=True):
    """Stop waiting for contributions: the table ends without a deal. Only the host may, after some time."""

    def grant(self, table: Table, who: str, at: int, name: str, face: str) -> Events:
        """End the table: a deal is never repeated."""
        _host(table, who)
        if table.call_off is None:
            raise BadInput("error.house.not_dealing")
        if at < table.call_off:
            raise BadInput("error.house.call_off", seconds=DEAL // SECOND)
        return _add(table, e.CalledOff(at=at))


# In the game.


class Play(SeatRequest, tag="play", kw_only=True):
    """Make one of the moves that the view lists as legal."""

    move: dict[str, Any]

    def grant_seat(self, table: Table, at: int) -> Events:
        """Play the move; somebody who was away is back with it."""
        flat(self.move)
        _running(table, self.seat)
        gone = not table.seats[self.seat].by_hand
        action = table.read(self.seat, self.move)
        timed = table.timed
        if timed is not None and action == timed.wait:
            raise BadInput("error.house.clock_counts")
        if self.seat in table.stops:
            raise BadInput("error.house.stopped")
        if timed is not None or gone:  # otherwise the match checks it before anything changes
            table.playing.for_seat(self.seat).check(self.seat, action)
        back = _add(table, e.Returned(at=at, seat=self.seat)) if gone else []
        moved = e.Moved(at=at, seat=self.seat, move=self.move)
        table.add(moved, action)
        return [*back, moved]


class Undo(SeatRequest, tag="undo", kw_only=True):
    """Take back your last move, or ask the others for permission."""

    def grant_seat(self, table: Table, at: int) -> Events:
        """Take it back at once if it revealed nothing and nobody has moved since; otherwise ask for consent."""
        _may_undo(table, self.seat)
        _running(table, self.seat)
        if self.seat in table.stops or table.playing.free_to_undo(self.seat):
            return _add(table, e.Undone(at=at, seat=self.seat))
        return Propose(seat=self.seat, what="undo").grant_seat(table, at)


class Propose(SeatRequest, tag="propose", kw_only=True):
    """Propose undo, pause, abandon, hints, "watch none", "watch open", "watch hands", or "watch hands 5" (a delay)."""

    what: Annotated[str, Meta(max_length=20)]

    def grant_seat(self, table: Table, at: int) -> Events:
        """Ask the others for their consent."""
        delays = (f"watch hands {moves}" for moves in range(MOST_DELAY + 1))
        what = one_of(self.what, ("undo", "pause", "abandon", "hints", *(f"watch {how}" for how in WATCH), *delays))
        if what in ("undo", "pause") and table.match is None:
            raise BadInput("error.house.not_started")
        if what == "undo":
            _may_undo(table, self.seat)
        if what == "hints" and (table.created.rated or table.created.house < HINTS):
            raise BadInput("error.house.no_hints_rated" if table.created.rated else "error.house.no_hints")
        if table.ended_for([self.seat]):
            raise BadInput("error.house.over")
        if table.status == "paused" and what != "abandon":
            raise BadInput("error.house.paused")
        if table.proposal is not None:
            raise BadInput("error.house.proposal")
        return _add(table, e.Proposed(at=at, seat=self.seat, what=what))


class Answer(SeatRequest, tag="answer", kw_only=True):
    """Say yes or no to a proposal."""

    yes: bool

    def grant_seat(self, table: Table, at: int) -> Events:
        """Count the answer; whoever knows the result decides nothing any more."""
        if table.ended_for([self.seat]) or table.proposal is None:
            raise BadInput("error.house.no_proposal")
        return _add(table, e.Answered(at=at, seat=self.seat, yes=self.yes))


class Resume(SeatRequest, tag="resume", kw_only=True):
    """End a pause."""

    def grant_seat(self, table: Table, at: int) -> Events:
        """Resume: any player may."""
        if table.status != "paused":
            raise BadInput("error.house.not_paused")
        return _add(table, e.Resumed(at=at, seat=self.seat))


class Resign(SeatRequest, tag="resign", kw_only=True):
    """Leave the game to a bot, until you come back."""

    def grant_seat(self, table: Table, at: int) -> Events:
        """Let a bot play on."""
        _running(table, self.seat)
        if table.seats[self.seat].resigned:
            raise BadInput("error.house.resigned")
        return _add(table, e.Resigned(at=at, seat=self.seat))


class Back(SeatRequest, tag="back", kw_only=True):
    """Take over again from the bot that played while you were gone."""

    def grant_seat(self, table: Table, at: int) -> Events:
        """Give the seat back."""
        _running(table, self.seat)
        return [] if table.seats[self.seat].by_hand else _add(table, e.Returned(at=at, seat=self.seat))


class Order(SeatRequest, tag="order", kw_only=True):
    """Give orders in advance; an empty object withdraws them."""

    orders: dict[str, Any]

    def grant_seat(self, table: Table, at: int) -> Events:
        """Keep what was ordered: plans ("next"), or what the game has orders for."""
        flat(self.orders)
        _running(table, self.seat)
        if "next" in self.orders and (
            len(self.orders) > 1 or table.asked(self.seat) or not table.seats[self.seat].by_hand
        ):
            raise BadInput("error.house.plan")
        kept = read_orders(table, self.seat, self.orders)
        ordered = e.Ordered(at=at, seat=self.seat, orders=self.orders)
        table.add(ordered, kept)
        return [ordered]


class Hint(SeatRequest, tag="hint", kw_only=True):
    """Ask which moves are best for your seat, which is to decide now; a route of its own gives the answer."""

    def grant_seat(self, table: Table, at: int) -> Events:
        """Let everybody see it, once for each decision; never for a question of which nobody else may know."""
        _running(table, self.seat)
        if table.created.rated or table.created.house < HINTS:
            raise BadInput("error.house.no_hints_rated" if table.created.rated else "error.house.no_hints")
        if not table.may_hint(table.seats[self.seat].who):
            raise BadInput("error.house.hints_agreed")
        match = table.playing
        if not table.asked(self.seat) or match.question_of(self.seat) is not None:
            raise BadInput("error.house.no_hint_now")
        known = (len(match.written), self.seat) in table.hints
        return [] if known else _add(table, e.Hinted(at=at, seat=self.seat))


# Conversation.


class Say(SeatRequest, tag="say", kw_only=True):
    """Say something: a text or one of the phrases."""

    text: Annotated[str, Meta(max_length=1000)] = ""
    phrase: Annotated[str, Meta(max_length=20)] = ""

    def grant_seat(self, table: Table, at: int) -> Events:
        """Add it to the chat."""
        if self.phrase:
            return _add(table, e.Said(at=at, seat=self.seat, phrase=one_of(self.phrase, PHRASES)))
        return _add(table, e.Said(at=at, seat=self.seat, text=clean(self.text, TEXT_LENGTH)))


class Mute(SeatRequest, tag="mute", kw_only=True):
    """Mute another seat, or unmute it."""

    whom: SeatNumber
    on: bool = True

    def grant_seat(self, table: Table, at: int) -> Events:
        """Hide or show the other seat's messages."""
        if not 0 <= self.whom < len(table.seats) or self.whom == self.seat:
            raise BadInput("error.seat", seat=self.whom, last=len(table.seats) - 1)
        return _add(table, e.Muted(at=at, seat=self.seat, whom=self.whom, on=self.on))


AnyRequest: TypeAlias = (
    Sit | Stand | Contribute | Place | Start | Reveal | CallOff | Play | Undo | Propose | Answer | Resume | Resign
    | Back | Order | Say | Mute
)  # fmt: skip


def _add(table: Table, event: e.Event) -> Events:
    table.add(event)
    return [event]


def _not_started(table: Table) -> None:
    if table.status != "open":
        raise BadInput("error.house.started")


def current(salt: str | None) -> None:
    """Refuse what only pages of an earlier version send."""
    if salt is not None:
        raise BadInput("error.house.old_page")


def _host(table: Table, who: str) -> None:
    if who != table.created.host:
        raise BadInput("error.house.not_host")


def _may_undo(table: Table, seat: int) -> None:
    """Refuse once hands and secret are shown. A seat with a quiet question must not learn of that before it answers."""
    match = table.playing
    if seat not in table.stops and match.last_of(seat) is None:
        raise BadInput("error.nothing_to_undo")
    if match.question_of(seat) is not None and not match.free_to_undo(seat):
        raise BadInput("error.house.answer_first")
    if match.over:
        raise BadInput("error.house.undo_over")


def _running(table: Table, seat: int) -> None:
    if table.match is None:
        raise BadInput("error.house.not_started")
    if table.ended_for([seat]):
        raise BadInput("error.house.over")
    if table.status == "paused":
        raise BadInput("error.house.paused")
