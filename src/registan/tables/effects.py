"""What each kind of event does to a table. `Table.add` looks up the function in EFFECTS.

A function returns the audiences that learn of the event, None for all. `parsed` is what a request has already parsed
of its event, None when a log is replayed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from registan.core.chance import Stream
from registan.core.errors import BadInput
from registan.core.game import Json
from registan.core.registry import find
from registan.tables import events as e
from registan.tables import plans
from registan.tables.fairness import stream_key
from registan.tables.match import TableMatch, open_box
from registan.tables.pace import SECOND, Clock
from registan.tables.seats import Seat
from registan.tables.state import TableState

CHAT_KEPT = 200
"""How many chat messages are kept."""


def created(table: TableState, event: e.Created, parsed: None) -> None:
    """Set up the seats."""
    game = find(event.game)
    if event.version != game.version:
        raise BadInput("error.house.version", game=event.game, version=event.version, ours=game.version)
    table.seats = [Seat(kind=s.kind, who=s.who, name=s.name, level=s.level, salt=s.salt) for s in event.seats]
    table.watch, table.delay = event.watch, event.delay


def sat(table: TableState, event: e.Sat, parsed: None) -> None:
    """Give a seat to a person."""
    table.seats[event.seat] = Seat(kind="person", who=event.who, name=event.name, salt=event.salt)


def stood(table: TableState, event: e.Stood, parsed: None) -> None:
    """Open a seat; the next owner neither inherits nor learns whom the last one did not want to read."""
    table.seats[event.seat] = Seat()
    table.muted = {pair for pair in table.muted if event.seat not in pair}


def placed(table: TableState, event: e.Placed, parsed: None) -> None:
    """Give a seat to a bot, or open it."""
    table.seats[event.seat] = Seat() if event.level is None else Seat(kind="bot", level=event.level)


def started(table: TableState, event: e.Started, parsed: None) -> None:
    """Deal, and set the clock."""
    made = table.created
    box = open_box(made.game, made.box)
    if box.sha256 != made.sha256:
        raise BadInput("error.house.box", box=made.box)
    stream = Stream(stream_key(made.secret, table.salts))
    table.match = TableMatch(find(made.game), box, len(table.seats), made.options, stream).start(made.first)
    table.clock = Clock(made.pace, [made.pace.bank * SECOND] * len(table.seats))
    table.status = "running"


def moved(table: TableState, event: e.Moved, parsed: int | None) -> set[int] | None:
    """Play a move; raise IllegalMove and change nothing if it is illegal."""
    match, clock = _playing(table)
    if table.timed is not None:
        table.stops.add(event.seat)
        return {event.seat}
    action = table.read(event.seat, event.move) if parsed is None else parsed
    question = match.question_of(event.seat)
    quiet = question is not None and action == match.decisions[question].action
    match.decide(event.seat, action, table.orders)
    if question is None:
        clock.moved(event.seat, event.at)
    _after(table, match)
    if quiet and (table.created.house or not table.finished):
        # Even if it was the last open question: for everybody else the game was over before.
        return {event.seat}
    if table.proposal is not None and table.proposal.what == "undo":
        table.proposal = None  # it was about another move
    return None


def ticked(table: TableState, event: e.Ticked, parsed: None) -> None:
    """Answer for everybody: stop for seats that stopped the clock, wait for the others."""
    match, _ = _playing(table)
    timed = match.timed
    assert timed is not None
    for seat in match.waiting:
        match.decide(seat, timed.stop if seat in table.stops else timed.wait, table.orders)
    _after(table, match)


def _after(table: TableState, match: TableMatch) -> None:
    """Let orders and plans answer as far as they can, and check whether the game is over."""
    while table.orders and _answer_as_ordered(table, match):
        pass
    if table.plans:
        plans.carry_out(match, table.plans, lambda seat, action: match.decide(seat, action, table.orders))
    # A quiet question may still be open when a move has ended the game.
    if match.over:
        table.proposal = None
        if match.settled:
            table.status = "over"


def _answer_as_ordered(table: TableState, match: TableMatch) -> bool:
    """Let each seat's orders answer once, drop those that no longer stand, and return whether any answered."""
    rules = match.game.orders
    assert rules is not None
    answered = False
    for seat, kept in sorted(table.orders.items()):
        if match.question_of(seat) is not None:
            continue
        hidden = match.hidden(seat)[0]
        action = rules.answer(match.box, hidden, seat, kept)
        if action is not None:
            match.decide(seat, action, table.orders)
            answered = True
        elif not rules.stands(match.box, hidden, seat, kept):
            del table.orders[seat]
    return answered


def undone(table: TableState, event: e.Undone, parsed: None) -> set[int] | None:
    """Take back a move, or a stop while the clock is running."""
    match, clock = _playing(table)
    if event.seat in table.stops:
        table.stops.remove(event.seat)
        return {event.seat}
    rules = match.game.orders
    if rules is not None and rules.SEALED:
        # They were given for what is taken back; the others' orders stand if it was only a sealed answer.
        for seat in [event.seat] if match.sealed(event.seat) else list(table.orders):
            table.orders.pop(seat, None)
    match.take_back(event.seat)
    table.plans.pop(event.seat, None)
    plans.prune(match, table.plans)
    table.status = "running"
    table.proposal = None
    clock.since = {}
    table.counting = None
    return None


def proposed(table: TableState, event: e.Proposed, parsed: None) -> None:
    """Ask all players for their consent."""
    table.proposal, table.agreed = msgspec.structs.replace(event, key=""), {table.seats[event.seat].who}
    _decide(table, event.at)


def answered(table: TableState, event: e.Answered, parsed: None) -> None:
    """Count a yes; a no ends the proposal."""
    if not event.yes:
        table.proposal = None
        return
    table.agreed.add(table.seats[event.seat].who)
    _decide(table, event.at)


def _decide(table: TableState, at: int) -> None:
    """Carry out what was proposed if all agree whose consent counts."""
    if table.proposal is None or not table.people(table.proposal.what) <= table.agreed:
        return
    what, seat = table.proposal.what, table.proposal.seat
    table.proposal = None
    if what == "undo":
        undone(table, e.Undone(at=at, seat=seat), None)
    elif what == "pause":
        table.status = "paused"
        _playing(table)[1].pause(at)
    elif what == "abandon":
        table.status = "abandoned"
    else:
        _, table.watch, *delay = what.split()
        table.delay = int(delay[0]) if delay else table.created.delay


def resumed(table: TableState, event: e.Resumed, parsed: None) -> None:
    """Let the clocks continue as if no time had passed."""
    _, clock = _playing(table)
    slept = event.at - (clock.paused or event.at)
    clock.resume(event.at)
    table.status = "running"
    table.quiet_since = {seat: since + slept for seat, since in table.quiet_since.items()}
    if table.counting is not None:
        table.counting += slept


def resigned(table: TableState, event: e.Resigned, parsed: None) -> None:
    """Let a bot play on for good."""
    table.seats[event.seat].resigned = True
    table.plans.pop(event.seat, None)
    _decide(table, event.at)


def lapsed(table: TableState, event: e.Lapsed, parsed: None) -> None:
    """Let a bot play until the person returns."""
    table.seats[event.seat].away = True
    table.plans.pop(event.seat, None)
    _decide(table, event.at)


def returned(table: TableState, event: e.Returned, parsed: None) -> None:
    """Give the seat back to its person."""
    table.seats[event.seat].away = False
    _playing(table)[1].back(event.seat, event.at)


def ordered(table: TableState, event: e.Ordered, parsed: Any) -> set[int] | None:
    """Store plans or orders in place of earlier ones, and let them answer at once if they can."""
    match, _ = _playing(table)
    seat, before = event.seat, match.moves_played
    kept = read_orders(table, seat, event.orders) if parsed is None else parsed
    table.plans.pop(seat, None)
    if "next" in event.orders:
        if kept:
            known = match.log(seat)
            table.plans[seat] = [plans.Given(plan, known) for plan in kept]
    else:
        table.orders.pop(seat, None)
        if kept:
            table.orders[seat] = kept
            _after(table, match)
    return {seat} if match.moves_played == before else None


def read_orders(table: TableState, seat: int, orders: Json) -> Any:
    """Return the plans in a request, or the game's orders to store; raise a RegistanError if they are invalid."""
    match = table.playing
    if "next" in orders:
        return plans.read(match, seat, orders["next"])
    if not orders:
        return {}
    rules = match.game.orders
    if rules is None or table.created.pace.tick:  # no orders against a real clock
        raise BadInput("error.house.orders")
    return rules.give(match.box, match.for_seat(seat).hidden(seat)[0], seat, orders)


def said(table: TableState, event: e.Said, parsed: None) -> set[int]:
    """Add to the chat, for everybody who has not muted the seat."""
    table.chat.append((table.seq, msgspec.structs.replace(event, key="")))
    del table.chat[:-CHAT_KEPT]
    return {seat for seat in table.audiences if (seat, event.seat) not in table.muted}


def muted(table: TableState, event: e.Muted, parsed: None) -> set[int]:
    """Hide what another seat says from now on, or show it again."""
    (table.muted.add if event.on else table.muted.discard)((event.seat, event.whom))
    return {event.seat}


def _playing(table: TableState) -> tuple[TableMatch, Clock]:
    assert table.match is not None
    assert table.clock is not None
    return table.match, table.clock


EFFECTS: Mapping[type[e.Event], Callable[[TableState, Any, Any], set[int] | None]] = {
    e.Created: created,
    e.Sat: sat,
    e.Stood: stood,
    e.Placed: placed,
    e.Started: started,
    e.Moved: moved,
    e.Ticked: ticked,
    e.Undone: undone,
    e.Proposed: proposed,
    e.Answered: answered,
    e.Resumed: resumed,
    e.Resigned: resigned,
    e.Lapsed: lapsed,
    e.Returned: returned,
    e.Ordered: ordered,
    e.Said: said,
    e.Muted: muted,
}
