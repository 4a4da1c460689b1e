"""Why the house itself refuses a request, apart from what the rules say."""

from __future__ import annotations

from registan.core.errors import RegistanError


class NoTable(RegistanError):
    """There is no such table, or the person must not know of it."""


class NoPuzzle(RegistanError):
    """There is no such puzzle."""


class UnknownPerson(RegistanError):
    """The request carries no valid cookie."""


class WrongHost(RegistanError):
    """The request asks for a host that is not this house."""


class TooManyRequests(RegistanError):
    """A person or an address has used up its rate limit."""


class Unavailable(RegistanError):
    """The store does not answer, or a write did not reach it; the same request may succeed in a moment."""


class Unreadable(RegistanError):
    """The log of a table cannot be replayed."""


class Deleted(RegistanError):
    """The host has deleted the table."""


class Broken(RegistanError):
    """A fault of the house itself, which the log describes."""
