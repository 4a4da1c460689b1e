"""Why the house itself refuses a request, apart from what the rules say."""

from __future__ import annotations

from registan.core.errors import RegistanError


class NoTable(RegistanError):
    """There is no such table, or the person must not know of it."""


class UnknownPerson(RegistanError):
    """The request carries no valid cookie."""


class TooManyRequests(RegistanError):
    """A person or an address has used up its rate limit."""
