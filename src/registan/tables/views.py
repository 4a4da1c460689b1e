"""What a table shows to a seat or to spectators, as JSON. Nothing depends on what the audience cannot know."""

from __future__ import annotations

from typing import Any

from msgspec.json import encode

from registan.core.errors import BadInput
from registan.core.game import SPECTATOR, Json
from registan.core.views import Views
from registan.tables import events as e
from registan.tables.patch import Comparison, diff
from registan.tables.table import Table

NONE: list[Any] = []
NO_ORDERS: Json = {}
"""A shared object, so that comparing it is free."""


def show(table: Table, audience: int) -> Json:
    """Return the table as an audience sees it: a seat, or SPECTATOR."""
    return Showing(table)(audience).whole()


class Shown:
    """A table as an audience sees it: what is public, shared by all, and its own, which overrides it."""

    __slots__ = ("game", "mine", "open", "own")

    def __init__(self, open_: Json, own: Json, game: Json | None = None, mine: Json | None = None) -> None:
        self.open, self.own = open_, own
        self.game, self.mine = game, mine or {}
        """The public part of the game's view, and the audience's own; None if `own` has the whole view."""

    @property
    def seq(self) -> int:
        """How many events the audience has learnt of."""
        seq: int = self.own["seq"]
        return seq

    def whole(self) -> Json:
        """Return the whole view."""
        shown_ = {**self.open, **self.own}
        if self.game is not None:
            shown_["view"] = {**self.game, **self.mine}
        return shown_

    def update(self, old: Shown, comparison: Comparison) -> bytes:
        """Return the encoded patch from what was shown before to this."""
        if self.game is None or old.game is None:
            return encode(diff(old.whole(), self.whole()))
        parts = comparison.written((old.open, old.own), (self.open, self.own))
        parts += comparison.written((old.game, old.mine), (self.game, self.mine), "view")
        return b"[%b]" % b",".join(parts)


class Showing:
    """A table at one moment, for all audiences. What is the same for everybody is made once and shared.

    Never modify what is shown.
    """

    def __init__(self, table: Table) -> None:
        self.table = table
        self._views: Views | None = None
        match = table.match
        self.open: Json = {
            "table": table.created.table,
            "status": table.status,
            **_head(table),
            "seats": [_seat(table, i) for i in range(len(table.seats))],
            "proposal": _proposal(table),
            "fairness": table.fairness,
            "chat": [_line(said) for _, said in table.chat],
            "counting": table.counting,
            "winners": match.winners() if match is not None and table.status == "over" else None,
        }
        """What is the same for everybody, except the game."""

    def __call__(self, audience: int) -> Shown:
        """Return the table as an audience sees it."""
        table, match = self.table, self.table.match
        own: Json = {"seq": table.seq_of(audience), "you": None if audience == SPECTATOR else audience}
        if table.muted:
            own["chat"] = _chat(table, audience)
        if match is None:
            return Shown(self.open, {**own, "view": None, "log": []})
        if audience == SPECTATOR:
            return self._to_spectators(own)
        # A seat that is asked quietly sees an earlier moment, which no other seat sees.
        then = match.for_seat(audience)
        own["log"] = then.log(audience)
        own["undo"] = not table.finished and then.last_of(audience) is not None
        own["stopped"] = audience in table.stops
        own["sale_until"] = table.quiet_deadlines().get(audience) if table.quiet_since else None
        own["orders"] = _orders(table, audience)
        own["next"] = [given.plan.shown() for given in table.plans[audience]] if audience in table.plans else NONE
        own["muted"] = sorted(whom for seat, whom in table.muted if seat == audience) if table.muted else NONE
        if then is not match:
            return Shown(self.open, {**own, "view": then.view(audience)})
        game = self._now().table
        mine = {key: value for key, value in self._now()(audience).items() if value is not game[key]}
        return Shown(self.open, own, game, mine)

    def _to_spectators(self, own: Json) -> Shown:
        table, match = self.table, self.table.match
        assert match is not None
        if table.watch == "none" and not table.finished:
            raise BadInput("error.house.no_spectators")
        own["log"] = match.log(SPECTATOR)
        if table.watch == "hands":
            seen = [match.for_seat(seat) for seat in range(len(table.seats))]
            own["hands"] = [self._now()(i) if then is match else then.view(i) for i, then in enumerate(seen)]
            return Shown(self.open, {**own, "view": self._now().table})
        return Shown(self.open, own, self._now().table)

    def _now(self) -> Views:
        if self._views is None:
            self._views = self.table.playing.views()
        return self._views


def _head(table: Table) -> Json:
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


def _seat(table: Table, i: int) -> Json:
    """Return a seat with its clock: time left and since when it runs, so that clients count down themselves."""
    seat = table.seats[i]
    shown_: Json = {
        "kind": seat.kind,
        "name": seat.name,
        "level": seat.level,
        "host": seat.kind == "person" and seat.who == table.created.host,
        "away": seat.away,
        "resigned": seat.resigned,
    }
    if table.clock is not None:
        since = table.clock.since.get(i)
        shown_ |= {
            "bank": table.clock.bank[i],
            "since": since[0] if since else None,
            "until": table.clock.deadline(i) if seat.by_hand else None,
        }
    return shown_


def _proposal(table: Table) -> Json | None:
    if table.proposal is None:
        return None
    agreed = [i for i, seat in enumerate(table.seats) if seat.kind == "person" and seat.who in table.agreed]
    return {"seat": table.proposal.seat, "what": table.proposal.what, "agreed": agreed}


def _chat(table: Table, audience: int) -> list[Json]:
    return [_line(said) for _, said in table.chat if (audience, said.seat) not in table.muted]


def _line(said: e.Said) -> Json:
    words = {"phrase": said.phrase} if said.phrase else {"text": said.text}
    return {"seat": said.seat, "at": said.at, **words}


def _orders(table: Table, seat: int) -> Json:
    """Return the orders of a seat that still stand, as the game shows them."""
    rules = table.playing.game.orders
    return rules.show(table.orders[seat]) if rules is not None and seat in table.orders else NO_ORDERS
