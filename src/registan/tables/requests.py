"""What people, bots and the clock may ask of a table. Each request checks, adds its events, and returns them.

A request that cannot be granted raises a RegistanError and changes nothing. `at` is the house's time.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from registan.bots import find_bot
from registan.core.batch import blank
from registan.core.errors import BadInput
from registan.core.game import Line
from registan.core.match import checked_options
from registan.core.registry import find
from registan.games.samarkand.orders import checked as checked_sales
from registan.games.souk import orders as souk_orders
from registan.tables import events as e
from registan.tables import plans
from registan.tables.board import open_box
from registan.tables.pace import SECOND, Pace
from registan.tables.seats import Seat
from registan.tables.table import Table

WATCH = ("none", "open", "hands")
PHRASES = ("hello", "luck", "well_played", "thinking", "sorry", "thanks", "your_turn", "oops", "good_game", "bye")
NAME_LENGTH, SALT_LENGTH, TEXT_LENGTH = 30, 64, 500
LATE = 3
"""Ticks by which a price may be late, after which the house was down: then only the one that was lost is made up."""


def create(
    table: str,
    host: str,
    at: int,
    secret: bytes,
    game: str,
    seats: Sequence[Seat],
    options: dict[str, Any],
    pace: Pace,
    *,
    box: str | None = None,
    first: int | None = None,
    listed: bool = False,
    watch: str = "open",
    stand_in: str = "greedy",
    key: str = "",
) -> e.Created:
    """Lay a table."""
    found = find(game)
    if len(seats) not in found.players:
        raise BadInput("error.players", game=game, low=found.players[0], high=found.players[-1], n=len(seats))
    if box is not None and box not in found.boxes:
        # Only a box that comes with the game: a name from outside must never be taken for a file.
        raise BadInput("error.no_box", box=box, boxes=", ".join(found.boxes))
    for level in (stand_in, *(seat.level for seat in seats if seat.kind == "bot")):
        find_bot(level)
    blank(found, 1, len(seats), first=first)  # S4, M4: a seat that cannot begin is refused
    opened = open_box(game, box)
    return e.Created(
        at=at,
        key=key,
        table=table,
        game=game,
        version=found.version,
        box=opened.key,
        sha256=opened.sha256,
        seats=[_tidied(seat) for seat in seats],
        secret=secret,
        host=host,
        options=checked_options(found, options),
        pace=pace.checked(game),
        listed=listed,
        watch=_one_of(watch, WATCH),
        stand_in=stand_in,
        first=first,
    )


def _tidied(seat: Seat) -> Seat:
    if seat.kind == "person":
        return Seat(kind="person", who=seat.who, name=clean(seat.name, NAME_LENGTH), salt=_salt(seat.salt))
    return Seat(kind=seat.kind, level=seat.level if seat.kind == "bot" else "")


def _salt(salt: str) -> str:
    if len(salt) > SALT_LENGTH:
        raise BadInput("error.house.salt", most=SALT_LENGTH)
    return salt


def clean(text: str, most: int) -> str:
    """Return what somebody typed, on one line and without control characters; raise BadInput if it is empty or long."""
    tidy = "".join(c if unicodedata.category(c)[0] != "C" else " " for c in unicodedata.normalize("NFC", text))
    tidy = " ".join(tidy.split())
    if not 0 < len(tidy) <= most:
        raise BadInput("error.house.text", most=most)
    return tidy


def _one_of(word: str, words: Sequence[str]) -> str:
    if word not in words:
        raise BadInput("error.house.word", word=word, words=", ".join(words))
    return word


def rematch(table: Table, new: str, secret: bytes, host: str, at: int) -> e.Created:
    """Lay the next table for the same people: the seats move round by one, so that another one begins (S4, M4)."""
    if not table.finished:
        raise BadInput("error.house.not_over")
    made = table.created
    seats = [Seat(kind=s.kind, who=s.who, name=s.name, level=s.level) for s in (*table.seats[1:], table.seats[0])]
    return e.Created(
        at=at, table=new, game=made.game, version=made.version, box=made.box, sha256=made.sha256, seats=seats,
        secret=secret, host=host, options=made.options, pace=made.pace, listed=made.listed, watch=made.watch,
        stand_in=made.stand_in, before=made.table, first=made.first,
    )  # fmt: skip


def _add(table: Table, *events: e.Event) -> list[e.Event]:
    for event in events:
        table.add(event)
    return list(events)


def _own(table: Table, who: str, seat: int) -> int:
    """Return a seat of the person who asks; whose it is otherwise is not said."""
    if seat not in table.seats_of(who):
        raise BadInput("error.house.not_your_seat")
    return seat


def _running(table: Table) -> None:
    if table.board is None:
        raise BadInput("error.house.not_started")
    if table.finished:
        raise BadInput("error.house.over")
    if table.status == "paused":
        raise BadInput("error.house.paused")


def _not_started(table: Table) -> None:
    if table.status != "open":
        raise BadInput("error.house.started")


def sit(table: Table, who: str, name: str, at: int, seat: int | None = None, salt: str = "") -> list[e.Event]:
    """Take an open seat, the first one if none is named."""
    _not_started(table)
    free = [i for i, held in enumerate(table.seats) if held.kind == "open"]
    if seat is None and table.seats_of(who):
        raise BadInput("error.house.seated")
    if not free or (seat is not None and seat not in free):
        raise BadInput("error.house.no_free_seat")
    taken = free[0] if seat is None else seat
    return _add(table, e.Sat(at=at, seat=taken, who=who, name=clean(name, NAME_LENGTH), salt=_salt(salt)))


def contribute(table: Table, who: str, seat: int, salt: str, at: int) -> list[e.Event]:
    """Add to chance, before the start, from a seat that was given with the table."""
    _not_started(table)
    held = table.seats[_own(table, who, seat)]
    return _add(table, e.Sat(at=at, seat=seat, who=who, name=held.name, salt=_salt(salt)))


def stand(table: Table, who: str, seat: int, at: int) -> list[e.Event]:
    """Leave a seat before the start; the host may also ask somebody else to."""
    _not_started(table)
    if who != table.created.host:
        _own(table, who, seat)
    if not 0 <= seat < len(table.seats) or table.seats[seat].kind != "person":
        raise BadInput("error.house.not_your_seat")
    return _add(table, e.Stood(at=at, seat=seat))


def place(table: Table, who: str, seat: int, level: str | None, at: int) -> list[e.Event]:
    """Give an open seat to a bot, or open a bot's: the host's right before the start."""
    _not_started(table)
    if who != table.created.host:
        raise BadInput("error.house.not_host")
    if not 0 <= seat < len(table.seats) or table.seats[seat].kind == "person":
        raise BadInput("error.house.no_free_seat")
    if level is not None:
        find_bot(level)
    return _add(table, e.Placed(at=at, seat=seat, level=level))


def start(table: Table, who: str, at: int) -> list[e.Event]:
    """Begin: the host's right, when every seat is taken."""
    _not_started(table)
    if who != table.created.host:
        raise BadInput("error.house.not_host")
    if any(seat.kind == "open" for seat in table.seats):
        raise BadInput("error.house.open_seats")
    return _add(table, e.Started(at=at))


def once(table: Table, key: str, ask: Callable[[], list[e.Event]]) -> list[e.Event]:
    """Carry a request out, unless one with its key was: the last event it brings carries the key."""
    if key and key in table.keys:
        return []
    events = ask()
    if key and events:
        events[-1] = msgspec.structs.replace(events[-1], key=key)
        table.remember(key)
    return events


def play(table: Table, who: str, seat: int, move: Line, at: int) -> list[e.Event]:
    """Move. Somebody who was away is back with it."""
    _own(table, who, seat)
    done = tick(table, at)
    _running(table)
    if table.seats[seat].resigned:
        raise BadInput("error.house.resigned")
    _check(table, seat, move)
    if table.seats[seat].away:
        done += _add(table, e.Returned(at=at, seat=seat))
    return done + _add(table, e.Moved(at=at, seat=seat, move=move))


def _check(table: Table, seat: int, move: Line) -> None:
    """Raise IllegalMove or BadMove unless the seat may move so, as far as it can see."""
    assert table.board is not None
    if table.ticking and move.get("do") == "wait":
        raise BadInput("error.house.clock_counts")
    if seat in table.stops:
        raise BadInput("error.house.stopped")
    table.board.sight(seat).check(seat, table.read(seat, move))


def undo(table: Table, who: str, seat: int, at: int) -> list[e.Event]:
    """Take the last move back: at once if it told nothing and nobody has moved since, else by consent."""
    _own(table, who, seat)
    done = tick(table, at)
    if not (table.board is not None and table.status == "over"):
        _running(table)
    assert table.board is not None
    if seat in table.stops or table.board.free_to_undo(seat):
        return done + _add(table, e.Undone(at=at, seat=seat))
    return done + propose(table, who, seat, "undo", at)


def propose(table: Table, who: str, seat: int, what: str, at: int) -> list[e.Event]:
    """Ask the others for consent: to an undo, a pause, to end the game, or to what spectators may see."""
    _own(table, who, seat)
    _one_of(what, ("undo", "pause", "abandon", *(f"watch {how}" for how in WATCH)))
    if what in ("undo", "pause") and table.board is None:
        raise BadInput("error.house.not_started")
    if table.finished and not (what == "undo" and table.status == "over"):
        raise BadInput("error.house.over")
    if table.status == "paused" and what != "abandon":
        raise BadInput("error.house.paused")
    if table.proposal is not None:
        raise BadInput("error.house.proposal")
    if what == "undo":
        assert table.board is not None
        if table.board.last_of(seat) is None:
            raise BadInput("error.nothing_to_undo")
    return _add(table, e.Proposed(at=at, seat=seat, what=what))


def answer(table: Table, who: str, seat: int, yes: bool, at: int) -> list[e.Event]:
    """Say yes or no to what was proposed."""
    _own(table, who, seat)
    if table.proposal is None:
        raise BadInput("error.house.no_proposal")
    return _add(table, e.Answered(at=at, seat=seat, yes=yes))


def resume(table: Table, who: str, seat: int, at: int) -> list[e.Event]:
    """End a pause: anybody who plays may."""
    _own(table, who, seat)
    if table.status != "paused":
        raise BadInput("error.house.not_paused")
    return _add(table, e.Resumed(at=at, seat=seat))


def resign(table: Table, who: str, seat: int, at: int) -> list[e.Event]:
    """Leave for good; a bot plays on."""
    _own(table, who, seat)
    done = tick(table, at)
    _running(table)
    if table.seats[seat].resigned:
        raise BadInput("error.house.resigned")
    return done + _add(table, e.Resigned(at=at, seat=seat))


def come_back(table: Table, who: str, seat: int, at: int) -> list[e.Event]:
    """Take one's seat again after the bot has played for it."""
    _own(table, who, seat)
    done = tick(table, at)
    _running(table)
    return done + (_add(table, e.Returned(at=at, seat=seat)) if table.seats[seat].away else [])


def order(table: Table, who: str, seat: int, orders: dict[str, Any], at: int) -> list[e.Event]:
    """Give standing orders: for sales in Samarkand (by the number of the good), sealed ones in the souk, plans."""
    _own(table, who, seat)
    done = tick(table, at)
    _running(table)
    assert table.board is not None
    board = table.board
    if "next" in orders:
        if len(orders) > 1 or table.asked(seat) or not table.seats[seat].by_hand:
            raise BadInput("error.house.plan")
        plans.read(board, seat, orders["next"])
    elif board.game.key == "samarkand":
        try:
            checked_sales({int(good): word for good, word in orders.items()})
        except ValueError:
            raise BadInput("error.house.orders") from None
    elif board.game.key != "souk" or table.created.pace.tick:
        if orders:
            raise BadInput("error.house.orders")
    elif orders:
        souk_orders.give(board.box, board.state, seat, orders)
    return done + _add(table, e.Ordered(at=at, seat=seat, orders=orders))


def say(table: Table, who: str, seat: int, at: int, text: str = "", phrase: str = "") -> list[e.Event]:
    """Say something in words, or with a ready-made phrase."""
    _own(table, who, seat)
    if phrase:
        return _add(table, e.Said(at=at, seat=seat, phrase=_one_of(phrase, PHRASES)))
    return _add(table, e.Said(at=at, seat=seat, text=clean(text, TEXT_LENGTH)))


def mute(table: Table, who: str, seat: int, whom: int, on: bool, at: int) -> list[e.Event]:
    """Stop reading somebody, or begin again."""
    _own(table, who, seat)
    if not 0 <= whom < len(table.seats) or whom == seat:
        raise BadInput("error.seat", seat=whom, last=len(table.seats) - 1)
    return _add(table, e.Muted(at=at, seat=seat, whom=whom, on=on))


def tick(table: Table, at: int) -> list[e.Event]:
    """Let happen what the clock says should have happened by now."""
    done: list[e.Event] = []
    while (due := table.next_deadline()) is not None and due <= at:
        if table.counting is not None:
            span = table.created.pace.tick * SECOND
            done += _add(table, e.Ticked(at=at if at - due > LATE * span else due))
            continue
        for seat, until in table.sale_deadlines().items():
            if until <= at:
                done += _add(table, e.Moved(at=at, seat=seat, move=_keep(table, seat), by="clock"))
        for seat, held in enumerate(table.seats):
            limit = table.clock.deadline(seat)
            if held.by_hand and limit is not None and limit <= at:
                done += _add(table, e.Lapsed(at=at, seat=seat))
    return done


def _keep(table: Table, seat: int) -> Line:
    assert table.board is not None
    return {"do": "keep", "good": int(table.board.sight(seat).state.good) + 1}
