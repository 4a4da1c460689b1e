"""Guests of a load test: they make their tables over HTTP as people do, with the standard library alone."""

from __future__ import annotations

import hashlib
import http.client
import json
import secrets
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

from registan.core.errors import BadInput
from registan.server.identity import COOKIE

TOO_MANY = 429


class Desk:
    """A connection to a house, for one thread."""

    def __init__(self, url: str) -> None:
        at = urlsplit(url)
        if at.scheme not in ("http", "https") or not at.hostname:
            raise BadInput("error.loadtest.url", url=url)
        kind = http.client.HTTPSConnection if at.scheme == "https" else http.client.HTTPConnection
        self.url, self._path = url, at.path.rstrip("/")
        self._line = kind(at.hostname, at.port, timeout=60)

    def ask(self, method: str, path: str, cookie: str = "", token: str = "", **body: Any) -> tuple[Any, str]:
        """Make a request, and return the answer and the cookie that came with it; raise BadInput if it is refused."""
        headers = {"Content-Type": "application/json"}
        headers |= {"Cookie": f"{COOKIE}={cookie}"} if cookie else {}
        headers |= {"Authorization": f"Bearer {token}"} if token else {}
        try:
            self._line.request(method, self._path + path, json.dumps(body) if body else None, headers)
            answer = self._line.getresponse()
            data = answer.read()
        except (OSError, http.client.HTTPException) as error:
            self._line.close()
            raise BadInput("error.loadtest.unreachable", url=self.url, why=str(error) or type(error).__name__) from None
        if answer.status == TOO_MANY:
            raise BadInput("error.loadtest.limits")
        if answer.status >= 400:
            raise BadInput("error.loadtest.refused", path=path, status=answer.status, why=_why(data))
        plain = "json" not in answer.getheader("Content-Type", "")
        try:
            found = data.decode() if plain else json.loads(data)
        except ValueError:
            raise BadInput("error.loadtest.url", url=self.url) from None
        given = (answer.getheader("Set-Cookie") or "").partition(";")[0].partition("=")[2]
        return found, given

    def close(self) -> None:
        """Hang up."""
        self._line.close()


def _why(data: bytes) -> str:
    try:
        said = json.loads(data)
        return str(said.get("text") or said.get("detail") or "")
    except (ValueError, AttributeError):
        return ""


def guests(desk: Desk, count: int) -> list[str]:
    """Let guests come in, and return their cookies."""
    return [desk.ask("POST", "/api/me", name=f"Guest {i + 1}")[1] for i in range(count)]


def open_table(desk: Desk, game: str, cookies: list[str]) -> str:
    """Let these guests sit down at a new table and deal; return its id."""
    host, others = cookies[0], dict(enumerate(cookies[1:], 1))
    seats = [{"kind": "me"}, *({"kind": "open"} for _ in others)]
    made, _ = desk.ask("POST", "/api/tables", host, game=game, seats=seats)
    if not isinstance(made, dict) or "table" not in made:
        raise BadInput("error.loadtest.url", url=desk.url)
    table = f"/api/tables/{made['table']}"
    own = {seat: secrets.token_bytes(32) for seat in others}
    for seat, cookie in others.items():
        desk.ask("POST", table, cookie, do="sit", seat=seat)
        sealed = hashlib.sha256(own[seat]).hexdigest()
        desk.ask("POST", table, cookie, do="contribute", seat=seat, commitment=sealed)
    desk.ask("POST", table, host, do="start")
    for seat, cookie in others.items():
        desk.ask("POST", table, cookie, do="reveal", seat=seat, contribution=own[seat].hex())
    return str(made["table"])


def process_figures(desk: Desk, token: str = "") -> dict[str, float]:
    """Return what the house says of its own process: CPU seconds and bytes of memory; nothing if it does not say."""
    try:
        text, _ = desk.ask("GET", "/metrics", token=token)
    except BadInput:
        return {}
    return dict(_figures(str(text)))


def _figures(text: str) -> Iterator[tuple[str, float]]:
    names = {"process_cpu_seconds_total": "cpu", "process_resident_memory_bytes": "memory"}
    for line in text.splitlines():
        name, _, value = line.partition(" ")
        if name in names:
            yield names[name], float(value)
