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
from registan.tables.table import Table
from registan.tables.texts import (
    KEY_LENGTH,
    NAME_LENGTH,
    PHRASES,
    SALT_LENGTH,
    TEXT_LENGTH,
    checked_salt,
    clean,
    one_of,
)

SeatNumber = Annotated[int, Meta(ge=0, le=4)]
Salt = Annotated[str, Meta(max_length=SALT_LENGTH)]
Key = Annotated[str, Meta(max_length=KEY_LENGTH)]
Events: TypeAlias = list[e.Event]


class Request(msgspec.Struct, tag_field="do", tag=str.lower, kw_only=True, forbid_unknown_fields=True):
    """A request to a table. Its key, if any, is returned with the answer; the same key is carried out only once."""

    key: Key = ""

    def carry_out(self, table: Table, who: str, at: int, name: str = "") -> Events:
        """Carry out a person's request: add its events to the table and return them.

        A second request of that person with the same key does nothing; the last event carries the key.
        """
        # Keys are per person: nobody can use up somebody else's.
        key = f"{who} {self.key}" if self.key else ""
        if key and key in table.keys:
            return []
        events = self.grant(table, who, at, name)
        if key and events:
            events[-1] = msgspec.structs.replace(events[-1], key=key)
            table.remember(key)
        return events

    def grant(self, table: Table, who: str, at: int, name: str) -> Events:
        """Check the request, add its events to the table, and return them."""
        raise NotImplementedError


class SeatRequest(Request, kw_only=True):
    """A request for one of the person's own seats."""

    seat: SeatNumber

    def grant(self, table: Table, who: str, at: int, name: str) -> Events:
        """Check that the seat is the person's, without saying whose it is otherwise."""
        if self.seat not in table.seats_of(who):
            raise BadInput("error.house.not_your_seat")
        return self.grant_seat(table, at)

    def grant_seat(self, table: Table, at: int) -> Events:
        """Check the request of the seat, add its events to the table, and return them."""
        raise NotImplementedError


# Before the start.


class Sit(Request, tag="sit", kw_only=True):
    """Take an open seat, the first one by default; `salt` is a contribution to chance."""

    seat: SeatNumber | None = None
    salt: Salt = ""

    def grant(self, table: Table, who: str, at: int, name: str) -> Events:
        """Give the seat to the person."""
        _not_started(table)
        free = [i for i, held in enumerate(table.seats) if held.kind == "open"]
        if self.seat is None and table.seats_of(who):
            raise BadInput("error.house.seated")
        if not free or (self.seat is not None and self.seat not in free):
            raise BadInput("error.house.no_free_seat")
        taken = free[0] if self.seat is None else self.seat
        salt = checked_salt(self.salt)
        return _add(table, e.Sat(at=at, seat=taken, who=who, name=clean(name, NAME_LENGTH), salt=salt))


class Stand(Request, tag="stand", kw_only=True):
    """Leave a seat before the start. The host may also make somebody else leave."""

    seat: SeatNumber

    def grant(self, table: Table, who: str, at: int, name: str) -> Events:
        """Open the seat."""
        _not_started(table)
        theirs = range(len(table.seats)) if who == table.created.host else table.seats_of(who)
        if self.seat not in theirs or table.seats[self.seat].kind != "person":
            raise BadInput("error.house.not_your_seat")
        return _add(table, e.Stood(at=at, seat=self.seat))


class Contribute(SeatRequest, tag="contribute", kw_only=True):
    """Contribute to chance before the start."""

    salt: Salt

    def grant_seat(self, table: Table, at: int) -> Events:
        """Seat the person again, with the contribution."""
        _not_started(table)
        held = table.seats[self.seat]
        return _add(table, e.Sat(at=at, seat=self.seat, who=held.who, name=held.name, salt=checked_salt(self.salt)))


class Place(Request, tag="place", kw_only=True):
    """Give a seat to a bot of a level, or open it (null). Only the host may."""

    seat: SeatNumber
    level: Annotated[str, Meta(max_length=20)] | None = None

    def grant(self, table: Table, who: str, at: int, name: str) -> Events:
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

    def grant(self, table: Table, who: str, at: int, name: str) -> Events:
        """Deal, if every seat is taken."""
        _not_started(table)
        _host(table, who)
        if any(seat.kind == "open" for seat in table.seats):
            raise BadInput("error.house.open_seats")
        return _add(table, e.Started(at=at))


# In the game.


class Play(SeatRequest, tag="play", kw_only=True):
    """Make one of the moves that the view lists as legal."""

    move: dict[str, Any]

    def grant_seat(self, table: Table, at: int) -> Events:
        """Play the move; somebody who was away is back with it."""
        _running(table, self.seat)
        seat = table.seats[self.seat]
        if seat.resigned:
            raise BadInput("error.house.resigned")
        action = table.read(self.seat, self.move)
        timed = table.timed
        if timed is not None and action == timed.wait:
            raise BadInput("error.house.clock_counts")
        if self.seat in table.stops:
            raise BadInput("error.house.stopped")
        if timed is not None or seat.away:  # otherwise the match checks it before anything changes
            table.playing.for_seat(self.seat).check(self.seat, action)
        back = _add(table, e.Returned(at=at, seat=self.seat)) if seat.away else []
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
    """Propose: undo, pause, abandon, "watch none", "watch open", "watch hands", or "watch hands 5" with a delay."""

    what: Annotated[str, Meta(max_length=20)]

    def grant_seat(self, table: Table, at: int) -> Events:
        """Ask the others for their consent."""
        delays = (f"watch hands {moves}" for moves in range(MOST_DELAY + 1))
        what = one_of(self.what, ("undo", "pause", "abandon", *(f"watch {how}" for how in WATCH), *delays))
        if what in ("undo", "pause") and table.match is None:
            raise BadInput("error.house.not_started")
        if what == "undo":
            _may_undo(table, self.seat)
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
        """Count the answer."""
        if table.proposal is None:
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
    """Leave for good; a bot plays on."""

    def grant_seat(self, table: Table, at: int) -> Events:
        """Let a bot play on."""
        _running(table, self.seat)
        if table.seats[self.seat].resigned:
            raise BadInput("error.house.resigned")
        return _add(table, e.Resigned(at=at, seat=self.seat))


class Back(SeatRequest, tag="back", kw_only=True):
    """Take over again from the bot that played while you were away."""

    def grant_seat(self, table: Table, at: int) -> Events:
        """Give the seat back."""
        _running(table, self.seat)
        return _add(table, e.Returned(at=at, seat=self.seat)) if table.seats[self.seat].away else []


class Order(SeatRequest, tag="order", kw_only=True):
    """Give orders in advance; an empty object withdraws them."""

    orders: dict[str, Any]

    def grant_seat(self, table: Table, at: int) -> Events:
        """Keep what was ordered: plans ("next"), or what the game has orders for."""
        _running(table, self.seat)
        if "next" in self.orders and (
            len(self.orders) > 1 or table.asked(self.seat) or not table.seats[self.seat].by_hand
        ):
            raise BadInput("error.house.plan")
        kept = read_orders(table, self.seat, self.orders)
        ordered = e.Ordered(at=at, seat=self.seat, orders=self.orders)
        table.add(ordered, kept)
        return [ordered]


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
    Sit | Stand | Contribute | Place | Start | Play | Undo | Propose | Answer | Resume | Resign | Back | Order | Say
    | Mute
)  # fmt: skip


def _add(table: Table, event: e.Event) -> Events:
    table.add(event)
    return [event]


def _not_started(table: Table) -> None:
    if table.status != "open":
        raise BadInput("error.house.started")


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
