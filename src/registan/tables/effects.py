"""What each kind of event does to a table. `Table.add` looks up the function in EFFECTS.

A function returns the audiences that learn of the event, None for all. `parsed` is what a request has already parsed
of its event, None when a log is replayed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import msgspec
from msgspec import UNSET

from registan.core.chance import Stream
from registan.core.errors import BadInput
from registan.core.game import Box, Json
from registan.core.registry import find
from registan.tables import events as e
from registan.tables import plans
from registan.tables.boxes import box_of
from registan.tables.fairness import deal_key, salts_key
from registan.tables.match import TableMatch
from registan.tables.pace import SECOND, Clock
from registan.tables.seats import Seat
from registan.tables.state import TableState

CHAT_KEPT = 200
"""How many lines of chat are kept."""
CHAT_APART = 2
"""The version of the rules of the house since which a line of chat does not count as a change of views."""
BACK_FOR_GOOD = 2
"""From this version of the rules of the house on, somebody who left the game may come back."""
CONSENT_TO_THAT = 3
"""From this version on, consent is to what people saw: to taking back that move, and to hands that were open then."""


def created(table: TableState, event: e.Created, parsed: None) -> None:
    """Set up the seats."""
    find(event.game, event.version)  # raises BadInput if we do not have that version
    table.seats = [
        Seat(kind=s.kind, who=s.who, name=s.name, level=s.level, salt=s.salt, face=s.face) for s in event.seats
    ]
    table.watch, table.delay = event.watch, event.delay


def sat(table: TableState, event: e.Sat, parsed: None) -> None:
    """Give a seat to a person."""
    seat = Seat(kind="person", who=event.who, name=event.name, salt=event.salt, face=event.face or UNSET)
    table.seats[event.seat] = seat


def stood(table: TableState, event: e.Stood, parsed: None) -> None:
    """Open a seat; the next owner neither inherits nor learns whom the last one did not want to read."""
    table.seats[event.seat] = Seat()
    table.commitments.pop(event.seat, None)
    table.muted = {pair for pair in table.muted if event.seat not in pair}


def placed(table: TableState, event: e.Placed, parsed: None) -> None:
    """Give a seat to a bot, or open it."""
    table.seats[event.seat] = Seat() if event.level is None else Seat(kind="bot", level=event.level)


def committed(table: TableState, event: e.Committed, parsed: None) -> None:
    """Keep the commitment of a seat."""
    table.commitments[event.seat] = event.commitment


def dealing(table: TableState, event: e.Dealing, parsed: None) -> None:
    """Freeze seats and commitments, and wait until everybody who committed has revealed."""
    _box(table)  # raises BadInput now rather than when the last contribution is revealed
    table.status, table.dealing = "dealing", event.at
    table.turns = dict.fromkeys(table.awaited, table.seq)


def revealed(table: TableState, event: e.Revealed, parsed: None) -> None:
    """Keep the contribution of a seat."""
    table.contributions[event.seat] = event.contribution
    table.turns.pop(event.seat, None)


def called_off(table: TableState, event: e.CalledOff, parsed: None) -> None:
    """End the table without a deal."""
    table.status, table.proposal, table.turns = "abandoned", None, {}


def _box(table: TableState) -> Box:
    """Return the box of the table; raise BadInput if it has changed since the table was created."""
    made = table.created
    box = box_of(made)
    if box.sha256 != made.sha256:
        raise BadInput("error.house.box", box=made.box)
    return box


def started(table: TableState, event: e.Started, parsed: None) -> None:
    """Deal, and set the clock."""
    made, box = table.created, _box(table)
    if event.scheme == 1:
        key = salts_key(made.secret, table.salts)
    else:
        key = deal_key(made.secret, made.table, made.game, table.shares)
    table.scheme = event.scheme
    game = find(made.game, made.version)
    table.match = TableMatch(game, box, len(table.seats), made.options, Stream(key)).start(made.first)
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
    _drop_undo(table)
    return None


def _drop_undo(table: TableState) -> None:
    """Drop a proposal to take a move back: it was about another one."""
    if table.proposal is not None and table.proposal.what == "undo":
        table.proposal = None


def lowered(table: TableState, event: e.Lowered, parsed: None) -> None:
    """Say at which level a bot plays, and why."""
    table.lowered.pop(event.seat, None)
    if event.level:
        table.lowered[event.seat] = event.level, event.why


def ticked(table: TableState, event: e.Ticked, parsed: None) -> None:
    """Answer for everybody: stop for seats that stopped the clock, wait for the others."""
    match, _ = _playing(table)
    timed = match.timed
    assert timed is not None
    for seat in match.waiting:
        match.decide(seat, timed.stop if seat in table.stops else timed.wait, table.orders)
    _after(table, match)
    if table.created.house >= CONSENT_TO_THAT:
        _drop_undo(table)


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
        table.status, table.paused_by = "paused", seat
        _playing(table)[1].pause(at)
    elif what == "abandon":
        table.status = "abandoned"
    elif what == "hints":
        table.hinters = set(table.agreed)
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


def _change(table: TableState, seat: int, **what: bool) -> None:
    table.seats[seat] = msgspec.structs.replace(table.seats[seat], **what)


def resigned(table: TableState, event: e.Resigned, parsed: None) -> None:
    """Let a bot play on, and ask this person for nothing."""
    _change(table, event.seat, resigned=True)
    table.plans.pop(event.seat, None)
    _decide(table, event.at)


def lapsed(table: TableState, event: e.Lapsed, parsed: None) -> None:
    """Let a bot play until the person returns."""
    _change(table, event.seat, away=True)
    table.plans.pop(event.seat, None)
    _decide(table, event.at)


def returned(table: TableState, event: e.Returned, parsed: None) -> None:
    """Give the seat back to its person. Who had left the game has not agreed to hands that were opened meanwhile."""
    made = table.created
    if table.seats[event.seat].resigned and table.watch == "hands" and made.house >= CONSENT_TO_THAT:
        table.watch, table.delay = made.watch, made.delay
    _change(table, event.seat, away=False)
    if table.created.house >= BACK_FOR_GOOD:
        _change(table, event.seat, resigned=False)
    table.lowered.pop(event.seat, None)
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
    if match.moves_played == before:
        return {seat}
    if table.created.house >= CONSENT_TO_THAT:
        _drop_undo(table)
    return None


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


def hinted(table: TableState, event: e.Hinted, parsed: None) -> None:
    """Remember for which decision a seat took a hint."""
    table.hints.append((len(_playing(table)[0].written), event.seat))


def said(table: TableState, event: e.Said, parsed: None) -> set[int]:
    """Add to the chat, which is a stream of its own: it changes no view."""
    number = table.chat[-1][0] + 1 if table.chat else 1
    table.chat.append((number, msgspec.structs.replace(event, key="")))
    del table.chat[:-CHAT_KEPT]
    if table.created.house < CHAT_APART:
        return {seat for seat in table.audiences if (seat, event.seat) not in table.muted}
    return set()


def muted(table: TableState, event: e.Muted, parsed: None) -> set[int]:
    """Hide what another seat says from now on, or show it again."""
    (table.muted.add if event.on else table.muted.discard)((event.seat, event.whom))
    return {event.seat}


def rematched(table: TableState, event: e.Rematched, parsed: None) -> set[int]:
    """Remember the next table; who is still asked quietly does not know yet that the game is over."""
    table.rematch = event.seat, event.table
    return {audience for audience in table.audiences if table.question_of([audience]) is None}


def _playing(table: TableState) -> tuple[TableMatch, Clock]:
    assert table.match is not None
    assert table.clock is not None
    return table.match, table.clock


EFFECTS: Mapping[type[e.Event], Callable[[TableState, Any, Any], set[int] | None]] = {
    e.Created: created,
    e.Sat: sat,
    e.Stood: stood,
    e.Placed: placed,
    e.Committed: committed,
    e.Dealing: dealing,
    e.Revealed: revealed,
    e.CalledOff: called_off,
    e.Started: started,
    e.Moved: moved,
    e.Lowered: lowered,
    e.Ticked: ticked,
    e.Undone: undone,
    e.Proposed: proposed,
    e.Answered: answered,
    e.Resumed: resumed,
    e.Resigned: resigned,
    e.Lapsed: lapsed,
    e.Returned: returned,
    e.Ordered: ordered,
    e.Hinted: hinted,
    e.Said: said,
    e.Muted: muted,
    e.Rematched: rematched,
}
