"""What a table shows to a seat or to spectators, as plain JSON. Nothing depends on what the audience cannot know."""

from __future__ import annotations

from typing import Any

from msgspec.json import encode

from registan.core.errors import BadInput
from registan.core.game import SPECTATOR, Line
from registan.core.views import Views
from registan.tables import events as e
from registan.tables.patch import Comparison, diff
from registan.tables.table import Table

NONE: list[Any] = []
NO_ORDERS: Line = {}
"""What is the same object need not be compared."""


def show(table: Table, audience: int) -> Line:
    """Return the table as an audience sees it: a seat, or SPECTATOR."""
    return Showing(table)(audience).whole()


class Shown:
    """A table as an audience sees it: what lies open, shared by all, and what is its own, which covers that."""

    __slots__ = ("game", "mine", "open", "own")

    def __init__(self, open_: Line, own: Line, game: Line | None = None, mine: Line | None = None) -> None:
        self.open, self.own = open_, own
        self.game, self.mine = game, mine or {}
        """What lies open in the game, and what the audience alone sees of it; None where `own` has the whole view."""

    @property
    def seq(self) -> int:
        """How many events the audience was told of."""
        seq: int = self.own["seq"]
        return seq

    def whole(self) -> Line:
        """Return all of it."""
        shown_ = {**self.open, **self.own}
        if self.game is not None:
            shown_["view"] = {**self.game, **self.mine}
        return shown_

    def update(self, old: Shown, comparison: Comparison) -> bytes:
        """Return the patch that makes this out of what was shown before, as it is sent."""
        if self.game is None or old.game is None:
            return encode(diff(old.whole(), self.whole()))
        parts = comparison.written((old.open, old.own), (self.open, self.own))
        parts += comparison.written((old.game, old.mine), (self.game, self.mine), "view")
        return b"[%b]" % b",".join(parts)


class Showing:
    """A table at one moment, for all who look at it: what is the same for everybody is made once, and shared.

    So what is shown must never be changed.
    """

    def __init__(self, table: Table) -> None:
        self.table = table
        self._views: Views | None = None
        board = table.board
        self.open: Line = {
            "table": table.created.table,
            "status": table.status,
            **_head(table),
            "seats": [_seat(table, i) for i in range(len(table.seats))],
            "proposal": _proposal(table),
            "fairness": table.fairness,
            "chat": [_line(said) for _, said in table.chat],
            "counting": table.counting,
            "winners": board.winners() if board is not None and table.status == "over" else None,
        }
        """What of the table is the same for everybody, but for the game."""

    def __call__(self, audience: int) -> Shown:
        """Return the table as an audience sees it."""
        table, board = self.table, self.table.board
        own: Line = {"seq": table.told.get(audience, 0), "you": None if audience == SPECTATOR else audience}
        if table.muted:
            own["chat"] = _chat(table, audience)
        if board is None:
            return Shown(self.open, {**own, "view": None, "log": []})
        if audience == SPECTATOR:
            return self._to_spectators(own)
        # A seat that is asked for a sale (S14) sees an earlier moment, which no other seat sees.
        then = board.sight(audience)
        own["log"] = then.log(audience)
        own["undo"] = not table.finished and then.last_of(audience) is not None
        own["stopped"] = audience in table.stops
        own["sale_until"] = table.sale_deadlines().get(audience) if table.asked_sales else None
        own["orders"] = _orders(table, audience)
        own["next"] = [given.plan.shown() for given in table.plans[audience]] if audience in table.plans else NONE
        own["muted"] = sorted(whom for seat, whom in table.muted if seat == audience) if table.muted else NONE
        if then is not board:
            return Shown(self.open, {**own, "view": then.view(audience)})
        game = self._now().table
        mine = {key: value for key, value in self._now()(audience).items() if value is not game[key]}
        return Shown(self.open, own, game, mine)

    def _to_spectators(self, own: Line) -> Shown:
        table, board = self.table, self.table.board
        assert board is not None
        if table.watch == "none" and not table.finished:
            raise BadInput("error.house.no_spectators")
        own["log"] = board.log(SPECTATOR)
        if table.watch == "hands":
            seats = range(len(table.seats))
            own["hands"] = [self._now()(seat) if (s := board.sight(seat)) is board else s.view(seat) for seat in seats]
            return Shown(self.open, {**own, "view": self._now().table})
        return Shown(self.open, own, self._now().table)

    def _now(self) -> Views:
        if self._views is None:
            assert self.table.board is not None
            self._views = self.table.board.views()
        return self._views


def _head(table: Table) -> Line:
    made = table.created
    return {
        "game": made.game,
        "box": made.box,
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
    given = table.sales.get(seat)
    return {str(good): word for good, word in sorted(given.items())} if given else NO_ORDERS
