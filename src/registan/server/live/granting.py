"""From a client's message to the request of a table."""

from __future__ import annotations

from typing import Any

from registan.server.identity import Person
from registan.server.live import protocol as p
from registan.server.live.house import Grant
from registan.tables import events as e
from registan.tables import requests as ask
from registan.tables.table import Table


def grant(request: p.Request, person: Person) -> Grant:
    """Return a function that carries out a person's request, only once if it has a key."""
    # Keys are per person, so nobody can use up somebody else's.
    key = f"{person.who} {request.key}" if request.key else ""

    def carry_out(table: Table, at: int) -> list[e.Event]:
        return ask.once(table, key, lambda: _grant(request, person, table, at))

    return carry_out


def _grant(r: Any, person: Person, t: Table, at: int) -> list[e.Event]:
    who = person.who
    match r:
        case p.Sit():
            return ask.sit(t, who, person.name, at, r.seat, r.salt)
        case p.Stand():
            return ask.stand(t, who, r.seat, at)
        case p.Contribute():
            return ask.contribute(t, who, r.seat, r.salt, at)
        case p.Place():
            return ask.place(t, who, r.seat, r.level, at)
        case p.Start():
            return ask.start(t, who, at)
        case p.Play():
            return ask.play(t, who, r.seat, r.move, at)
        case p.Undo():
            return ask.undo(t, who, r.seat, at)
        case p.Propose():
            return ask.propose(t, who, r.seat, r.what, at)
        case p.Answer():
            return ask.answer(t, who, r.seat, r.yes, at)
        case _:
            return _more(r, who, t, at)


def _more(r: Any, who: str, t: Table, at: int) -> list[e.Event]:
    match r:
        case p.Resume():
            return ask.resume(t, who, r.seat, at)
        case p.Resign():
            return ask.resign(t, who, r.seat, at)
        case p.Back():
            return ask.come_back(t, who, r.seat, at)
        case p.Order():
            return ask.order(t, who, r.seat, r.orders, at)
        case p.Mute():
            return ask.mute(t, who, r.seat, r.whom, r.on, at)
        case _:
            return ask.say(t, who, r.seat, at, r.text, r.phrase)
