"""Small documents that belong to a person, such as solved puzzles: JSON by person, kind and name."""

from __future__ import annotations

from typing import Any

import msgspec

from registan.server.logs import log
from registan.server.storage.store import Store


class Document(msgspec.Struct):
    """A document: its kind and name, when it was written, and what it says."""

    kind: str
    name: str
    at: int
    data: Any


class Documents:
    """The documents of all people of a house, in its store."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def put(self, who: str, kind: str, data: Any, at: int, name: str = "") -> None:
        """Store a document, replacing an older one with the same kind and name."""
        await self._store.execute(
            "INSERT INTO documents VALUES ($1, $2, $3, $4, $5)"
            " ON CONFLICT (who, kind, name) DO UPDATE SET at = excluded.at, data = excluded.data",
            who, kind, name, at, msgspec.json.encode(data),
        )  # fmt: skip

    async def put_first(self, who: str, kind: str, data: Any, at: int, name: str = "") -> None:
        """Store a document unless there is one with the same kind and name."""
        await self._store.execute(
            "INSERT INTO documents VALUES ($1, $2, $3, $4, $5) ON CONFLICT (who, kind, name) DO NOTHING",
            who, kind, name, at, msgspec.json.encode(data),
        )  # fmt: skip

    async def get(self, who: str, kind: str, name: str = "") -> Any:
        """Return what a document says, None if there is none."""
        sql = "SELECT kind, name, at, data FROM documents WHERE who = $1 AND kind = $2 AND name = $3"
        found = _read(await self._store.fetch(sql, who, kind, name))
        return found[0].data if found else None

    async def of(self, who: str, kind: str | None = None) -> list[Document]:
        """Return a person's documents of one kind, or of all, the latest first."""
        sql = "SELECT kind, name, at, data FROM documents WHERE who = $1"
        if kind is None:
            return _read(await self._store.fetch(f"{sql} ORDER BY at DESC, kind, name", who))
        return _read(await self._store.fetch(f"{sql} AND kind = $2 ORDER BY at DESC, name", who, kind))

    async def everybody(self, kind: str) -> list[tuple[str, Document]]:
        """Return all documents of a kind with the person to whom each belongs."""
        sql = "SELECT who, kind, name, at, data FROM documents WHERE kind = $1 ORDER BY at, who, name"
        found = []
        for who, *rest in await self._store.fetch(sql, kind):
            found += [(who, document) for document in _read([rest])]
        return found

    async def delete(self, who: str) -> None:
        """Delete all documents of a person."""
        await self._store.execute("DELETE FROM documents WHERE who = $1", who)


def _read(rows: list[Any]) -> list[Document]:
    """Return documents from rows; one that is damaged is left out."""
    found = []
    for kind, name, at, data in rows:
        try:
            found.append(Document(kind, name, at, msgspec.json.decode(data)))
        except (msgspec.MsgspecError, UnicodeDecodeError) as error:
            log.error("document cannot be read", kind=kind, why=repr(error))
    return found
