"""Who a person is: a signed cookie, made when it is first needed. No account, no password."""

from __future__ import annotations

import base64
import hmac
import os
import secrets
from pathlib import Path

import msgspec
from itsdangerous import BadSignature, URLSafeTimedSerializer

from registan.core.errors import BadInput
from registan.server.limits import COOKIE_DAYS, HANDOVER_SECONDS

COOKIE = "registan"
OLDER = "older"
"""The session of cookies that were made before sessions had ids."""


class Person(msgspec.Struct, frozen=True):
    """A guest: a secret identity, a name to show, and a language."""

    who: str
    name: str
    lang: str = "en"
    session: str = OLDER
    """The device; cookies of earlier versions have no id and count as one device."""


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
        return _text(self._cookies.dumps([person.who, person.name, person.lang, person.session]))

    def person(self, cookie: str | None) -> Person | None:
        """Return the person a cookie identifies, None if it is forged or expired."""
        return _read(self._cookies, cookie, COOKIE_DAYS * 86_400)

    def handover(self, person: Person) -> str:
        """Return a token that identifies a second device as the same person, once and for a short time.

        Its session will be that of the second device.
        """
        return _text(self._handovers.dumps([person.who, person.name, person.lang, new_session(), person.session]))

    def handed_over(self, token: str) -> tuple[Person, Person] | None:
        """Return the person a token identifies, on the new device and on the old one; None if forged or expired."""
        try:
            who, name, lang, new, old = self._handovers.loads(token, max_age=HANDOVER_SECONDS)
        except (BadSignature, TypeError, ValueError):
            return None
        return Person(who, name, lang, new), Person(who, name, lang, old)


def _text(data: str | bytes) -> str:
    return data if isinstance(data, str) else data.decode()


def _read(serializer: URLSafeTimedSerializer, token: str | None, seconds: int) -> Person | None:
    try:
        return Person(*serializer.loads(token or "", max_age=seconds))
    except (BadSignature, TypeError):
        return None


def same_origin(origin: str | None, host: str | None, public_url: str) -> bool:
    """Whether a request comes from a page of this house or from no page; other pages must not use our cookies."""
    return origin is None or origin == public_url or origin.partition("://")[2] == host


def new_guest(name: str, lang: str) -> Person:
    """Return a person with a new identity."""
    return Person(secrets.token_urlsafe(16), name, lang, new_session())


def new_session() -> str:
    """Return the id of a new session."""
    return secrets.token_urlsafe(9)


def house_key(folder: Path) -> bytes:
    """Return the key with which this house signs. The first start makes it; all processes of a house share it."""
    given = os.environ.get("REGISTAN_KEY")
    if given:
        return given.encode()
    path = folder / "key"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if not path.exists():
            with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
                file.write(secrets.token_hex(32).encode())
        return path.read_bytes()
    except OSError as error:
        raise BadInput("error.house.folder", folder=folder, why=error.strerror) from None
