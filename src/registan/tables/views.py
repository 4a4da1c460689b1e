"""What a table shows to a seat or to spectators, as plain JSON. Nothing depends on what the audience cannot know."""

from __future__ import annotations

from typing import Any

from registan.core.errors import BadInput
from registan.core.game import SPECTATOR, Line
from registan.core.sights import Views
from registan.tables import events as e
from registan.tables.patch import carried_over
from registan.tables.table import Table


def show(table: Table, audience: int) -> Line:
    """Return the table as an audience sees it: a seat, or SPECTATOR."""
    return Showing(table)(audience)


class Showing:
    """A table at one moment, for all who look at it: what is the same for everybody is made once, and shared.

    What has not changed since the moment `before` is taken from there. So what is shown must never be changed.
    """

    def __init__(self, table: Table, before: Showing | None = None) -> None:
        self.table = table
        self._views: Views | None = None
        self._before = before.game if before else None
        self.game: Line | None = self._before
        """What lies open in the game, as far as somebody has looked at it."""
        now: Line = {
            "table": table.created.table,
            "seq": 0,
            "status": table.status,
            "you": None,
            **_head(table),
            "seats": [_seat(table, i) for i in range(len(table.seats))],
            "proposal": _proposal(table),
            "fairness": table.fairness,
            "chat": [_line(said) for _, said in table.chat],
        }
        self.open: Line = carried_over(before.open, now) if before else now
        """What of the table is the same for everybody, but for the game."""

    def __call__(self, audience: int) -> Line:
        """Return the table as an audience sees it."""
        table = self.table
        if audience == SPECTATOR and table.watch == "none" and not table.finished and table.board is not None:
            raise BadInput("error.house.no_spectators")
        own: Line = {"seq": table.told.get(audience, 0), "you": None if audience == SPECTATOR else audience}
        if table.muted:
            own["chat"] = _chat(table, audience)
        return {**self.open, **own, **self._game(audience)}

    def _game(self, audience: int) -> Line:
        """Return the game as far as it has come for the audience (S14), its log, and what is only for the seat."""
        table = self.table
        if table.board is None:
            return {"view": None, "log": [], "counting": None, "winners": None}
        then = table.board.sight(audience)
        shown_: Line = {
            "view": self._view(audience),
            "log": then.log(audience),
            "counting": table.counting,
            "winners": then.winners() if table.status == "over" else None,
        }
        if audience == SPECTATOR:
            if table.watch == "hands":
                shown_["hands"] = [self._view(seat) for seat in range(len(table.seats))]
            return shown_
        return shown_ | {
            "undo": not table.finished and then.last_of(audience) is not None,
            "stopped": audience in table.stops,
            "sale_until": table.sale_deadlines().get(audience),
            "orders": _orders(table, audience),
            "next": [given.plan.shown() for given in table.plans.get(audience, [])],
            "muted": sorted(whom for seat, whom in table.muted if seat == audience),
        }

    def _view(self, audience: int) -> Line:
        board = self.table.board
        assert board is not None
        then = board.sight(audience)
        if then is not board:  # S14: an earlier moment, which no other seat sees
            return then.view(audience)
        if self._views is None:
            self._views = board.views()
            self.game = self._views.table = carried_over(self._before, self._views.table)
        return self._views(audience)

    def rest(self) -> Showing:
        """Forget what is only needed as long as somebody looks; return this moment, to be compared with the next."""
        self._views = self._before = None
        return self


def _head(table: Table) -> Line:
    made = table.created
    return {
        "game": made.game,
        "box": made.box,
        "options": made.options,
        "pace": {
            "kind": made.pace.kind,
            "bank": made.pace.bank,
            "increment": made.pace.increment,
            "days": made.pace.days,
            "tick": made.pace.tick,
        },
        "listed": made.listed,
        "watch": table.watch,
        "stand_in": made.stand_in,
        "before": made.before,
    }


def _seat(table: Table, i: int) -> Line:
    """Return a seat, with its clock: what is left and since when it runs, so that no message is needed to count."""
    seat = table.seats[i]
    shown_: Line = {
        "kind": seat.kind,
        "name": seat.name,
        "level": seat.level,
        "host": seat.kind == "person" and seat.who == table.created.host,
        "away": seat.away,
        "resigned": seat.resigned,
    }
    if table.board is not None:
        since = table.clock.since.get(i)
        shown_ |= {
            "bank": table.clock.bank[i],
            "since": since[0] if since else None,
            "until": table.clock.deadline(i) if seat.by_hand else None,
        }
    return shown_


def _proposal(table: Table) -> Line | None:
    if table.proposal is None:
        return None
    agreed = [i for i, seat in enumerate(table.seats) if seat.kind == "person" and seat.who in table.agreed]
    return {"seat": table.proposal.seat, "what": table.proposal.what, "agreed": agreed}


def _chat(table: Table, audience: int) -> list[Line]:
    return [_line(said) for _, said in table.chat if (audience, said.seat) not in table.muted]


def _line(said: e.Said) -> Line:
    words = {"phrase": said.phrase} if said.phrase else {"text": said.text}
    return {"seat": said.seat, "at": said.at, **words}


def _orders(table: Table, seat: int) -> Any:
    """Return the orders of a seat that still stand: those for sales by good, or what the sealed one says."""
    if seat in table.sealed_orders:
        order = table.sealed_orders[seat]
        return {"price": order.price, "stops": order.item is not None}
    return {str(good): word for good, word in sorted(table.sales.get(seat, {}).items())}
