"""Questions for bots in PostgreSQL: each is thought about once, by any process of a house or by `registan think`.

A row holds what the bot may see and nothing else of its table. Whoever thinks about it has a lease, which it renews;
when that runs out, somebody else may think. Rows are unlogged: they cost no write to disk, and are gone when PostgreSQL
crashes. That loses nothing, because every question follows from the log of its table and is then asked again.
Times are those of the database, so the clocks of machines do not matter.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from registan.server.limits import LEASE_SECONDS, ORPHAN_SECONDS, THINKING_WINDOW
from registan.server.storage.store import Store

CHANNEL = "registan_thoughts"
"""Announces "" when a question waits, and the id of a question that was answered for somebody else."""
TABLES = """
    CREATE UNLOGGED TABLE IF NOT EXISTS thoughts (
        id BYTEA PRIMARY KEY, kind TEXT NOT NULL, person TEXT NOT NULL, table_id TEXT NOT NULL, code TEXT NOT NULL,
        game TEXT NOT NULL, expected DOUBLE PRECISION NOT NULL, question BYTEA NOT NULL, holder TEXT,
        until TIMESTAMPTZ NOT NULL DEFAULT now(), asked TIMESTAMPTZ NOT NULL DEFAULT now(), answer BYTEA,
        given BOOLEAN NOT NULL DEFAULT false, adopted INT NOT NULL DEFAULT 0
    );
    CREATE INDEX IF NOT EXISTS thoughts_waiting ON thoughts (kind, asked) WHERE answer IS NULL;
    CREATE INDEX IF NOT EXISTS thoughts_open ON thoughts (asked) WHERE NOT given;
    CREATE UNLOGGED TABLE IF NOT EXISTS thinking_time (
        kind TEXT NOT NULL, period BIGINT NOT NULL, person TEXT NOT NULL, table_id TEXT NOT NULL,
        seconds DOUBLE PRECISION NOT NULL, PRIMARY KEY (kind, period, person, table_id)
    );
"""
"""`game` is empty if no search is needed. A row is `given` when its answer was played, or is not wanted any more."""

PERIOD = f"floor(extract(epoch FROM now()) / {THINKING_WINDOW})::bigint"
LEASE = f"now() + interval '{LEASE_SECONDS} seconds'"
ADD = (
    " ON CONFLICT (kind, period, person, table_id)"
    " DO UPDATE SET seconds = thinking_time.seconds + excluded.seconds RETURNING 1"
)
ASK = f"""
    WITH had AS (
        SELECT coalesce(sum(seconds), 0) >= $11
            OR coalesce(sum(seconds) FILTER (WHERE table_id = $4), 0) >= $12 AS spent
        FROM thinking_time WHERE kind = $2 AND person = $3 AND period = {PERIOD}
    ), asked AS (
        INSERT INTO thoughts (id, kind, person, table_id, code, game, expected, question, holder, until)
        SELECT $1::bytea, $2, $3, $4, $5::text, $6::text, $7::float8, $8::bytea,
            CASE WHEN $10::bool OR spent THEN $9::text END, {LEASE} FROM had
        ON CONFLICT DO NOTHING RETURNING holder
    )
    SELECT EXISTS (SELECT 1 FROM asked), spent, (SELECT pg_notify('{CHANNEL}', '') FROM asked WHERE holder IS NULL)
    FROM had
"""
WAITS = "answer IS NULL AND (holder IS NULL OR until < now())"
CLAIM = f"""
    WITH people AS (
        SELECT person, sum(seconds) AS had FROM thinking_time WHERE kind = $1 AND period = {PERIOD} GROUP BY person
    ), chosen AS (
        SELECT t.id FROM thoughts t LEFT JOIN people USING (person) LEFT JOIN thinking_time here
            ON here.kind = $1 AND here.period = {PERIOD} AND here.person = t.person AND here.table_id = t.table_id
        WHERE t.kind = $1 AND {WAITS} AND t.code = $2 AND t.game = ANY($3::text[])
        ORDER BY coalesce(people.had, 0), coalesce(here.seconds, 0), t.asked LIMIT 1 FOR UPDATE OF t SKIP LOCKED
    ), taken AS (
        UPDATE thoughts t SET holder = $4, until = {LEASE} FROM chosen WHERE t.id = chosen.id
        RETURNING t.id, t.person, t.table_id, t.expected, t.question
    ), charged AS (
        INSERT INTO thinking_time SELECT $1, {PERIOD}, person, table_id, expected FROM taken {ADD}
    )
    SELECT * FROM taken
"""
ANSWER = f"""
    WITH kept AS (
        UPDATE thoughts SET answer = $2, until = now() WHERE id = $1 AND answer IS NULL
        RETURNING kind, person, table_id
    ), charged AS (
        INSERT INTO thinking_time SELECT kind, {PERIOD}, person, table_id, $3::float8 FROM kept {ADD}
    )
    SELECT pg_notify('{CHANNEL}', $4) FROM kept WHERE $4 <> ''
"""
SEE = f"""
    SELECT answer, given, {WAITS} AS waits, extract(epoch FROM now() - until)::float8 AS since
    FROM thoughts WHERE id = $1
"""
ADOPT = f"""
    UPDATE thoughts SET asked = now(), adopted = adopted + 1 WHERE id IN (
        SELECT id FROM thoughts WHERE NOT given AND asked < now() - interval '{ORPHAN_SECONDS} seconds'
        ORDER BY asked LIMIT 20 FOR UPDATE SKIP LOCKED
    ) RETURNING id, table_id
"""


class Asked(NamedTuple):
    """What became of asking: whether nobody had asked before, and whether the budget for searches is spent."""

    new: bool
    spent: bool


class Claimed(NamedTuple):
    """A question to think about."""

    id: bytes
    person: str
    table: str
    expected: float
    question: bytes


class Seen(NamedTuple):
    """How far a question is."""

    answer: bytes | None
    given: bool
    waits: bool
    """Whether nobody thinks about it."""
    since: float
    """For how many seconds it has its answer."""


class Thoughts:
    """The questions of a house. `holder` is this process; `code` says which program can read them."""

    def __init__(self, store: Store, holder: str, code: str) -> None:
        self._store, self.holder, self._code = store, holder, code

    async def ask(self, what: Claimed, kind: str, game: str, claim: bool, budget: tuple[float, float]) -> Asked:
        """Ask a question, unless somebody has; claim it at the same time if it is to be, or if the budget is spent."""
        named = (what.id, kind, what.person, what.table, self._code, game, what.expected, what.question)
        new, spent, _ = (await self._store.fetch(ASK, *named, self.holder, claim, *budget))[0]
        return Asked(new, spent)

    async def claim(self, kind: str, games: list[str]) -> Claimed | None:
        """Claim the question of the person whose bots have thought least in this minute, at the table likewise."""
        rows = await self._store.fetch(CLAIM, kind, self._code, games, self.holder)
        return Claimed(*rows[0]) if rows else None

    async def take(self, id_: bytes) -> bool:
        """Claim this question, if nobody thinks about it."""
        sql = f"UPDATE thoughts SET holder = $2, until = {LEASE} WHERE id = $1 AND {WAITS}"
        return bool(await self._store.execute(sql, id_, self.holder))

    async def renew(self, ids: list[bytes]) -> None:
        """Renew the leases of questions that are still thought about."""
        sql = f"UPDATE thoughts SET until = {LEASE} WHERE id = ANY($1::bytea[]) AND holder = $2 AND answer IS NULL"
        await self._store.execute(sql, ids, self.holder)

    async def answer(self, id_: bytes, answer: bytes, seconds: float, tell: bool) -> None:
        """Answer a question, unless it is answered; charge processor seconds, and tell whoever waits elsewhere."""
        await self._store.fetch(ANSWER, id_, answer, seconds, id_.hex() if tell else "")

    async def see(self, id_: bytes) -> Seen | None:
        """Return how far a question is, None if there is none."""
        rows = await self._store.fetch(SEE, id_)
        return Seen(*rows[0]) if rows else None

    async def give(self, ids: list[bytes]) -> None:
        """Note that answers were played, or are not wanted any more."""
        await self._store.execute("UPDATE thoughts SET given = true WHERE id = ANY($1::bytea[])", ids)

    async def release(self) -> None:
        """Give back what this process has not thought about to the end."""
        sql = "WITH back AS (UPDATE thoughts SET holder = NULL WHERE holder = $1 AND answer IS NULL RETURNING 1)"
        await self._store.fetch(f"{sql} SELECT pg_notify('{CHANNEL}', '') FROM back LIMIT 1", self.holder)

    async def adopt(self) -> list[tuple[bytes, str]]:
        """Return questions whose answers were not played for long, with their tables: whoever asked may be dead."""
        return [(row[0], row[1]) for row in await self._store.fetch(ADOPT)]

    async def tidy(self) -> None:
        """Forget what is over; it stays for a while, for processes that have not heard of it yet."""
        sql = "DELETE FROM thoughts WHERE given AND asked < now() - interval '1 minute' OR adopted > 5"
        await self._store.execute(sql)
        await self._store.execute(f"DELETE FROM thinking_time WHERE period < {PERIOD} - 1")


async def missing(store: Any) -> bool:
    """Whether the database has no such tables."""
    return (await store.fetch("SELECT to_regclass('thoughts')::text"))[0][0] is None
