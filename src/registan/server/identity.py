"""Who a person is: a signed cookie, made when it is first needed. No account, no password."""

from __future__ import annotations

import base64
import hmac
import secrets
from typing import Any

import msgspec
from itsdangerous import BadSignature, TimestampSigner, URLSafeTimedSerializer

from registan.server.limits import COOKIE_DAYS, HANDOVER_SECONDS

COOKIE = "registan"
OLDER = "older"
"""The session of cookies that were made before sessions had ids."""


class Person(msgspec.Struct, frozen=True):
    """A guest: a secret identity, a name and a face to show, and a language."""

    who: str
    name: str
    lang: str = "en"
    session: str = OLDER
    """The device; cookies of earlier versions have no id and count as one device."""
    face: str = ""
    """The drawing that the person has chosen."""


class Signer:
    """Signs identities, and reads what it has signed."""

    def __init__(self, key: bytes) -> None:
        self._key = key
        self._cookies = URLSafeTimedSerializer(key, salt="cookie")
        self._handovers = URLSafeTimedSerializer(key, salt="hand-over")

    def derived(self, purpose: str) -> bytes:
        """Return a secret derived from the key, different for each purpose."""
        return hmac.digest(self._key, purpose.encode(), "sha256")

    def named(self, text: str) -> str:
        """Return an id that nobody can guess, the same for the same text."""
        return base64.urlsafe_b64encode(self.derived(text)[:9]).decode()

    def cookie(self, person: Person) -> str:
        """Return the cookie that identifies a person."""
        return _text(self._cookies.dumps([person.who, person.name, person.lang, person.session, person.face]))

    def person(self, cookie: str | None) -> Person | None:
        """Return the person a cookie identifies, None if it is forged or expired."""
        # A cookie that seems to come from the future was made before the clock was set back: its owner stays the same.
        try:
            return Person(*_read(self._cookies, cookie or "", COOKIE_DAYS * 86_400, ahead=None))
        except TypeError:
            return None

    def handover(self, person: Person) -> str:
        """Return a token that identifies a second device as the same person, once and for a short time.

        Its session will be that of the second device.
        """
        known = [person.who, person.name, person.lang, new_session(), person.session, person.face]
        return _text(self._handovers.dumps(known))

    def handed_over(self, token: str) -> tuple[Person, Person] | None:
        """Return the person a token identifies, on the new device and on the old one; None if forged or expired."""
        try:
            who, name, lang, new, old, *face = _read(self._handovers, token, HANDOVER_SECONDS, ahead=HANDOVER_SECONDS)
        except (TypeError, ValueError):
            return None
        return Person(who, name, lang, new, *face), Person(who, name, lang, old, *face)


def _text(data: str | bytes) -> str:
    return data if isinstance(data, str) else data.decode()


def _read(serializer: URLSafeTimedSerializer, token: str, seconds: int, ahead: int | None) -> Any:
    """Return what was signed, None if it was not signed here or is too old.

    `ahead` is by how many seconds its time may be later than ours, which happens when a clock is set back; None for
    any number.
    """
    try:
        signed, at = serializer.loads(token, return_timestamp=True)
    except BadSignature:
        return None
    age = TimestampSigner(b"-").get_timestamp() - at.timestamp()
    return signed if age <= seconds and (ahead is None or -age <= ahead) else None


def new_guest(name: str, lang: str) -> Person:
    """Return a person with a new identity."""
    return Person(secrets.token_urlsafe(16), name, lang, new_session())


def new_session() -> str:
    """Return the id of a new session."""
    return secrets.token_urlsafe(9)
