"""From what a client says to what is asked of a table."""

from __future__ import annotations

from registan.server import protocol as p
from registan.server.house import Grant
from registan.server.identity import Person


def grant(request: p.Request, person: Person) -> Grant:
    """Return what carries out a person's request."""
    return lambda table, at: request.carry_out(table, person.who, at, person.name)
