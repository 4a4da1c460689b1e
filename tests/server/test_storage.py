"""One suite for both stores."""

from __future__ import annotations

import asyncio
import itertools
import sqlite3
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from registan.core.errors import BadInput
from registan.server.errors import Unavailable
from registan.server.storage import postgres as pg
from registan.server.storage import sqlite as lite
from registan.server.storage.appending import Append, Job
from registan.server.storage.documents import Documents
from registan.server.storage.results import Results
from registan.server.storage.reviews import ReviewStore
from registan.server.storage.store import Conflict, Store, open_store
from registan.server.storage.summary import TableSummary
from registan.server.storage.transfer import export_all, import_line
from registan.tables import events as e
from registan.tables.creation import create
from registan.tables.pace import Pace
from registan.tables.seats import Seat
from registan.tables.table import Table, replay


def summary(table: str = "t1", **changes: Any) -> TableSummary:
    values: dict[str, Any] = {
        "game": "khiva", "status": "running", "listed": True, "touched": 5, "people": ["ann", "bo"], "asked": ["bo"],
        "seats": ["Ann", "Bo", "greedy"],
    }  # fmt: skip
    return TableSummary(table=table, **values | changes)


def with_store(url: str, do: Callable[[Store], Awaitable[None]]) -> None:
    async def run() -> None:
        store = await open_store(url)
        try:
            await do(store)
        finally:
            await store.close()

    asyncio.run(run())


def test_what_was_appended_is_there_after_closing(url: str) -> None:
    async def write(store: Store) -> None:
        await store.append(summary(), 0, [b"one", b"two"])
        await store.append(summary(), 2, [b"three"])

    async def read(store: Store) -> None:
        assert await store.log("t1") == [b"one", b"two", b"three"]
        assert await store.log("t1", 2) == [b"three"]
        assert await store.log("nowhere") == []
        await store.check()

    with_store(url, write)
    with_store(url, read)


def test_lengths_of_logs_tell_what_has_grown(url: str) -> None:
    async def do(store: Store) -> None:
        await store.append(summary("t1"), 0, [b"one", b"two"])
        await store.append(summary("t2"), 0, [b"one"])
        await store.append(summary("t3"), 0, [b"one"])
        await store.delete(summary("t3"), 1)
        found = await store.lengths(["t1", "t3", "nowhere"])
        assert found == {"t1": 2, "t3": 2}, "a deleted table is longer than anybody has seen it"
        assert await store.lengths([]) == {}

    with_store(url, do)


def test_the_loser_of_a_race_is_told(url: str) -> None:
    async def race(store: Store) -> None:
        await store.append(summary(), 0, [b"first"])
        for seen in (0, 2):
            with pytest.raises(Conflict):
                await store.append(summary(), seen, [b"late"])
        results = await asyncio.gather(
            *(store.append(summary(), 1, [str(i).encode()]) for i in range(20)), return_exceptions=True
        )
        assert results.count(None) == 1
        assert sum(isinstance(result, Conflict) for result in results) == 19
        log = await store.log("t1")
        assert log == [b"first", str(results.index(None)).encode()]

    with_store(url, race)


def test_two_processes_share_a_table_without_losing_anything(url: str) -> None:
    async def run() -> None:
        stores = [await open_store(url) for _ in range(2)]
        await stores[0].append(summary(), 0, [b"start"])

        async def writer(number: int) -> None:
            done = 0
            while done < 15:
                seen = len(await stores[number].log("t1"))
                try:
                    await stores[number].append(summary(), seen, [b"%d %d" % (number, done)])
                    done += 1
                except Conflict:
                    continue

        await asyncio.gather(writer(0), writer(1))
        log = await stores[0].log("t1")
        assert len(log) == 31
        for number in range(2):
            assert [e for e in log if e.startswith(b"%d " % number)] == [b"%d %d" % (number, i) for i in range(15)]
        for store in stores:
            await store.close()

    asyncio.run(run())


def test_many_tables_at_once_are_committed_together(url: str) -> None:
    async def many(store: Store) -> None:
        await asyncio.gather(*(store.append(summary(f"t{i}"), 0, [b"x"] * 3) for i in range(300)))
        assert len(await store.unfinished()) == 300
        assert await store.log("t299") == [b"x"] * 3

    with_store(url, many)


def test_what_arrives_in_one_round_is_one_transaction(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sizes: list[int] = []
    commit = lite._commit

    def counted(db: sqlite3.Connection, jobs: list[Job]) -> list[Exception | None]:
        sizes.append(len(jobs))
        return commit(db, jobs)

    monkeypatch.setattr(lite, "_commit", counted)

    async def rounds(store: Store) -> None:
        for count in (1, 5, 40):
            await asyncio.gather(*(store.append(summary(f"t{count} {i}"), 0, [b"x"]) for i in range(count)))

    with_store(str(tmp_path / "house.db"), rounds)
    assert sizes == [1, 5, 40]


def test_moves_of_many_tables_take_two_statements_and_a_lost_race_fails_alone() -> None:
    db, statements = sqlite3.connect(":memory:", isolation_level=None), list[str]()
    lite.migrate(db)
    tables = [f"t{i}" for i in range(9)]
    assert lite._commit(db, [Append(summary(table), 0, [b"dealt"]) for table in tables]) == [None] * 9

    db.set_trace_callback(statements.append)
    moves: list[Job] = [Append(summary(table, touched=7), 1, [b"one", b"two"]) for table in tables]
    assert lite._commit(db, moves) == [None] * 9
    assert [sql.split()[0] for sql in statements] == ["BEGIN", "UPDATE", "INSERT", "COMMIT"]
    assert db.execute("SELECT count(*), min(seen), max(touched) FROM tables").fetchone() == (9, 3, 7)

    late = [Append(summary(table), 2 if table == "t4" else 3, [b"three"]) for table in tables]
    answers = lite._commit(db, [*late, Append(summary("t0"), 4, [b"four"])])
    assert [type(answer) for answer in answers] == [Conflict if i == 4 else type(None) for i in range(10)]
    logs = dict(db.execute("SELECT table_id, group_concat(data) FROM events GROUP BY table_id"))
    assert logs["t4"] == "dealt,one,two"
    assert logs["t0"] == "dealt,one,two,three,four"
    assert logs["t8"] == "dealt,one,two,three"


def test_what_was_handed_in_just_before_closing_is_stored(tmp_path: Path) -> None:
    async def write(store: Store) -> None:
        store.append(summary(), 0, [b"one"])  # nobody waits for it

    async def read(store: Store) -> None:
        assert await store.log("t1") == [b"one"]

    with_store(str(tmp_path / "house.db"), write)
    with_store(str(tmp_path / "house.db"), read)


def test_tables_are_found_by_people_and_in_the_list(url: str) -> None:
    async def look(store: Store) -> None:
        await store.append(summary("a", touched=1), 0, [b"x"])
        await store.append(summary("b", touched=2, asked=[]), 0, [b"x"])
        await store.append(summary("c", touched=3, listed=False, asked=[], people=["cy"]), 0, [b"x"])
        await store.append(summary("d", touched=4, status="over", asked=[]), 0, [b"x"])
        assert [found.table for found in await store.listed(10)] == ["b", "a"]
        assert [found.table for found in await store.listed(1)] == ["b"]
        assert [found.table for found in await store.tables_of("bo", 10)] == ["a", "d", "b"]
        assert [found.table for found in await store.tables_of("cy", 10)] == ["c"]
        assert await store.tables_of("nobody", 10) == []
        assert sorted(await store.unfinished()) == ["a", "b", "c"]

    with_store(url, look)


def test_a_snapshot_is_replaced_by_a_newer_one(url: str) -> None:
    async def keep(store: Store) -> None:
        assert await store.snapshot("t1") is None
        await store.keep_snapshot("t1", 5, b"old")
        await store.keep_snapshot("t1", 9, b"new")
        assert await store.snapshot("t1") == (9, b"new")

    with_store(url, keep)


def test_everything_can_be_exported_and_imported(url: str, tmp_path: Path) -> None:
    lines: list[bytes] = []

    async def export(store: Store) -> None:
        await store.append(summary("a"), 0, [b'{"e":"x"}', bytes(range(256))])
        await store.append(summary("b"), 0, [b"y"])
        lines.extend([line async for line in export_all(store)])

    async def bring(store: Store) -> None:
        assert [await import_line(store, line) for line in lines] == [True, True]
        assert [await import_line(store, line) for line in lines] == [False, False]
        assert await store.log("a") == [b'{"e":"x"}', bytes(range(256))]
        assert [found.table for found in await store.tables_of("ann", 5)] == ["a", "b"]
        with pytest.raises(BadInput, match="not JSON"):
            await import_line(store, b"{")

    with_store(url, export)
    with_store(str(tmp_path / "other.db"), bring)


@pytest.mark.parametrize("version", [1, 2])
def test_an_old_database_of_sqlite_is_brought_up_to_date(tmp_path: Path, version: int) -> None:
    path = tmp_path / "old.db"
    db = sqlite3.connect(path, isolation_level=None)
    lite.migrate(db, upto=version)
    Append(summary(), 0, [b"old"])(db)
    db.close()

    async def use(store: Store) -> None:
        assert await store.log("t1") == [b"old"]
        await store.append(summary(), 1, [b"new"])
        await store.keep_snapshot("t1", 2, b"film")
        assert await store.fetch("SELECT * FROM wishes") == []

    with_store(str(path), use)
    with_store(str(path), use_again)


async def use_again(store: Store) -> None:
    assert await store.log("t1") == [b"old", b"new"]


@pytest.mark.parametrize("version", [1, 2])
def test_an_old_database_of_postgresql_is_brought_up_to_date(postgres: str, version: int) -> None:
    from tests.server.conftest import fresh_database

    url = fresh_database(postgres)

    async def make() -> None:
        import asyncpg

        db: Any = await asyncpg.connect(url)
        await pg.migrate(db, upto=version)
        await db.execute("INSERT INTO tables VALUES ('t1', 1, 'running', true, 5, '{}')")
        await db.execute("INSERT INTO events VALUES ('t1', 1, 'old')")
        await db.close()

    async def use(store: Store) -> None:
        await store.append(summary(), 1, [b"new"])
        await store.keep_snapshot("t1", 2, b"film")
        assert await store.fetch("SELECT * FROM wishes") == []
        assert await store.log("t1") == [b"old", b"new"]

    asyncio.run(make())
    with_store(url, use)


def test_a_database_from_the_future_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "new.db"
    db = sqlite3.connect(path)
    db.execute("PRAGMA user_version = 99")
    db.close()
    with pytest.raises(BadInput, match="version 99"):
        asyncio.run(open_store(str(path)))


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("mysql://x", "not a store"),
        ("/proc/nowhere/house.db", "cannot be used"),
        ("postgresql://me:sesame@127.0.0.1:1/x", "PostgreSQL cannot be used"),
    ],
)
def test_a_store_that_cannot_be_opened_is_said_in_one_line(url: str, said: str) -> None:
    with pytest.raises(BadInput, match=said) as error:
        asyncio.run(open_store(url))
    assert "\n" not in str(error.value)
    assert "sesame" not in str(error.value)


POISON: list[tuple[TableSummary, list[bytes]]] = [
    (summary("bad", touched=2**70), [b"x"]),  # no database has such a number
    (summary("bad", people=["\ud800"]), [b"x"]),  # nor such a text
    (summary("bad", status=None), [b"x"]),
    (summary("bad"), ["not bytes", object()]),  # type: ignore[list-item]
]


@pytest.mark.parametrize("poison", range(len(POISON)))
def test_an_append_that_cannot_be_stored_fails_alone(url: str, poison: int) -> None:
    async def mixed(store: Store) -> None:
        bad, events = POISON[poison]
        others = [store.append(summary(f"t{i}"), 0, [b"x"]) for i in range(6)]
        async with asyncio.timeout(20):
            results = await asyncio.gather(
                *others[:3], store.append(bad, 0, events), *others[3:], return_exceptions=True
            )
        assert isinstance(results.pop(3), Exception)
        assert results == [None] * 6
        await store.append(summary("t1"), 1, [b"y"])  # and the writer goes on
        assert await store.log("t1") == [b"x", b"y"]
        assert await store.log("bad") == []
        await store.check()

    with_store(url, mixed)


def test_a_locked_file_is_a_passing_fault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lite, "QUERY_SECONDS", 0.05)

    async def use(store: Store) -> None:
        await store.append(summary(), 0, [b"x"])
        other = sqlite3.connect(tmp_path / "house.db", isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        for work in (store.append(summary(), 1, [b"lost"]), store.check()):
            with pytest.raises(Unavailable) as fault:
                await work
            assert "locked" in str(fault.value.__cause__)
        other.execute("ROLLBACK")
        other.close()
        await store.append(summary(), 1, [b"y"])
        assert await store.log("t1") == [b"x", b"y"]

    with_store(str(tmp_path / "house.db"), use)


def test_documents_of_people_are_kept_by_kind_and_name(url: str) -> None:
    async def run(store: Store) -> None:
        documents = Documents(store)
        await documents.put("ann", "solved", {"right": True}, 5, "khiva-1")
        await documents.put("ann", "solved", {"right": False}, 7, "khiva-2")
        await documents.put("ann", "solved", {"right": False}, 9, "khiva-1")
        await documents.put("ann", "note", [1, "é"], 1)
        await documents.put("bo", "note", None, 1)
        assert await documents.get("ann", "solved", "khiva-1") == {"right": False}
        assert await documents.get("ann", "note") == [1, "é"]
        assert await documents.get("ann", "nothing") is None
        assert [one.name for one in await documents.of("ann", "solved")] == ["khiva-1", "khiva-2"], "the latest first"
        assert len(await documents.of("ann")) == 3
        await store.execute("UPDATE documents SET data = $1 WHERE kind = 'note'", b"{")
        assert len(await documents.of("ann")) == 2, "one that is damaged hides no other"
        await documents.delete("ann")
        assert await documents.of("ann") == []
        assert len(await store.fetch("SELECT who FROM documents")) == 1

    with_store(url, run)


def _finished(number: int, rated: bool = True) -> Table:
    """Return a table whose game two people have played to the end, and a bot with them."""
    held = [Seat(kind="person", who=who, name=who.title()) for who in ("ann", "bo")]
    seats = [*held, Seat(kind="bot", level="random")]
    made = create(f"t{number}", "ann", 1000 * number, b"s" * 32, "khiva", seats, {}, Pace(), rated=rated)
    table = replay([made, e.Started(at=1000 * number + 1, scheme=2)])
    match = table.playing
    for step in itertools.count(1):
        if table.finished:
            return table
        seat = match.waiting[0]
        legal = match.engine.legal(match.hidden(seat), seat)
        move = match.game.moves.write(match.box, match.state, seat, legal[(step + number) % len(legal)])
        table.add(e.Moved(at=1000 * number + 1 + step, seat=seat, move=move))
        match = table.playing
    raise AssertionError


def test_results_and_ratings_are_the_same_in_both_stores_whatever_the_order(url: str) -> None:
    tables = [_finished(number) for number in (1, 2, 3)]

    async def rows(store: Store) -> list[tuple[Any, ...]]:
        return [tuple(row) for row in await store.fetch("SELECT * FROM results ORDER BY table_id, seat")]

    async def run(store: Store) -> None:
        results = Results(store)
        for table in tables:
            await results.keep(table)
        first = await rows(store)
        assert len(first) == 9
        assert all(row[-1] < 250 for row in first), "every rating has become more certain"
        await store.execute("DELETE FROM results")
        for table in (tables[2], tables[0], tables[1]):
            await results.keep(table)
        await results.keep(tables[0])
        assert await rows(store) == first
        games = await results.of("ann")
        assert [game.table for game in games] == ["t3", "t2", "t1"]
        assert [game.players for game in games] == [3, 3, 3]
        assert [row.level for row in await results.seats("t1")] == ["", "", "random"]
        assert {level for _, level in await results.opponents("ann")} == {"", "random"}
        ((game, level, rating, count),) = await results.bots("ann")
        assert (game, level, count) == ("khiva", "random", 3)
        assert rating.mean == first[-1][-2]

    with_store(url, run)


def test_who_is_asked_quietly_after_the_end_sees_nothing_of_it(url: str) -> None:
    async def run(store: Store) -> None:
        results = Results(store)
        for number in (1, 2, 3):
            await results.keep(_finished(number))
        for who in ("ann", "bo"):
            assert len(await results.of(who)) == 3
        await store.append(summary("t2", status="over", ending=True, quiet={"ann": 4}), 0, [b"x"])
        assert [game.table for game in await results.of("ann")] == ["t3", "t1"]
        assert [game.rating is None for game in await results.of("ann")] == [True, False], "no later rating tells it"
        assert await results.bots("ann") == []
        assert len(await results.of("bo")) == 3
        assert all(game.rating for game in await results.of("bo"))

    with_store(url, run)


def test_reviews_are_kept_with_their_tables(url: str) -> None:
    seat = {"seat": 0, "accuracy": {"value": 0.9}, "decisions": 2}
    decision = {"seat": 0, "played": {"do": "move"}, "mistake": True, "cost": {"value": 0.1}}
    made = {"open_hands": False, "seats": [seat], "decisions": [{**decision, "line": 1}, {**decision, "line": 9}]}

    async def run(store: Store) -> None:
        reviews = ReviewStore(store)
        await store.append(summary("t1"), 0, [b"one"])
        await reviews.keep("t1", "a" * 32, made, 10)
        assert await reviews.get("a" * 32) == made
        await store.execute("INSERT INTO results VALUES ('t1', 0, 'ann', '', 'khiva', 5, 1, 9, 1.0, 0, NULL, NULL)")
        (one,) = (await reviews.figures("ann")).values()
        assert [(kind.do, kind.phase, kind.mistakes) for kind in one.kinds] == [("move", 0, 1), ("move", 2, 1)]
        await store.delete(summary("t1"), 1)
        assert await reviews.get("a" * 32) is None
        await reviews.keep("t1", "b" * 32, made, 10)
        assert await reviews.get("b" * 32) is None, "nothing is kept of a table that was deleted"

    with_store(url, run)
