"""Reviews in the house: asked for once, made in the background between the answers of bots, and kept."""

from __future__ import annotations

import asyncio
import json
import threading
from functools import cache
from pathlib import Path
from typing import Any

import httpx
import pytest

from registan.server.limits import STUDY_BODY
from registan.server.live import reviewing
from tests.server.place import Guest, Place, until
from tests.server.test_thinking import question_of, thinking

pytestmark = pytest.mark.usefixtures("short_reviews")

CORPUS = Path(__file__).resolve().parents[1] / "conformance" / "corpus"


@cache
def record_of(game: str) -> dict[str, Any]:
    with (CORPUS / f"{game}.jsonl").open(encoding="utf-8") as file:
        return dict(json.loads(file.readline()))


def reviewed(guest: Guest, **game: Any) -> Any:
    """Ask for a review, and wait for it."""
    told = guest.post("/api/review", **game)

    def done() -> bool:
        nonlocal told
        told = guest.get(f"/api/reviews/{told['id']}")
        assert 0 <= told["done"] <= told["of"] or told["status"] == "waiting"
        return bool(told["status"] == "done")

    if told["status"] != "done":
        assert told["review"] is None
        until(done)
    return told


def finished(guest: Guest, game: str = "khiva", **more: Any) -> str:
    """Return a table whose game was played to the end against bots."""
    table = guest.new_table(game, ("random",), **more)
    while (view := guest.view(table))["status"] != "over":
        if view["view"]["legal"]:
            guest.ask(table, do="play", seat=0, move=view["view"]["legal"][0])
    return table


def refused(guest: Guest, **body: Any) -> httpx.Response:
    answer = guest.http.post("/api/review", json=body)
    assert answer.status_code >= 400, answer.text
    return answer


@pytest.fixture(scope="module")
def ann(place: Place) -> Guest:
    return place.guest("Ann")


@pytest.fixture(scope="module")
def table(ann: Guest) -> str:
    return finished(ann)


def test_a_finished_table_is_reviewed_once_and_the_second_look_is_immediate(
    place: Place, ann: Guest, table: str
) -> None:
    found = reviewed(ann, table=table)["review"]
    assert [row["seat"] for row in found["seats"]] == [0, 1]
    assert found["open_hands"] is False
    assert found["decisions"]
    again = place.guest("Bo").post("/api/review", table=table)
    assert again["status"] == "done"
    assert again["review"] == found
    by_record = place.guest(None).post("/api/review", record=ann.get(f"/api/tables/{table}/record"))
    assert by_record["review"] == found, "the record of the game is the same game"


def test_reviewing_a_stored_game_twice_gives_the_same(place: Place, ann: Guest, table: str) -> None:
    first = reviewed(ann, table=table)
    place.run(place.house.store.execute("DELETE FROM reviews WHERE table_id = $1", table))
    assert ann.http.get(f"/api/reviews/{first['id']}").status_code == 404
    assert reviewed(ann, table=table) == first | {"done": 0, "of": 0}


def test_open_hands_are_a_review_of_their_own(ann: Guest, table: str) -> None:
    plain, open_ = reviewed(ann, table=table), reviewed(ann, table=table, open_hands=True)
    assert plain["id"] != open_["id"]
    assert open_["review"]["open_hands"] is True
    assert open_["review"]["decisions"] != plain["review"]["decisions"]


@pytest.mark.parametrize("game", ["samarkand", "souk"])
def test_any_record_can_be_reviewed(place: Place, game: str) -> None:
    found = reviewed(place.guest(None), record=record_of(game))["review"]
    assert (found["game"], len(found["seats"])) == (game, record_of(game)["players"])


def test_only_finished_games_are_reviewed(place: Place, ann: Guest) -> None:
    running = ann.new_table("khiva", ("", "random"))
    assert refused(ann, table=running).json()["error"] == "error.house.not_over"
    abandoned = ann.new_table("khiva", ("random",))
    ann.ask(abandoned, do="propose", seat=0, what="abandon")
    assert refused(ann, table=abandoned).json()["error"] == "error.house.review_unfinished"
    record = record_of("khiva")
    half = next(i for i, move in enumerate(record["moves"]) if i > 20 and move.get("do") == "move")
    cut = {"moves": record["moves"][:half], "status": "running", "scores": None, "winners": None}
    answer = refused(ann, record=record | cut)
    assert (answer.status_code, answer.json()["error"]) == (422, "error.house.review_unfinished")
    broken = refused(ann, record=record | {"moves": record["moves"][1:]})
    assert (broken.status_code, broken.json()["error"]) == (422, "record")
    assert "2" in broken.json()["text"], "the move that does not fit is named"
    for body in ({}, {"table": "x", "record": {}}):
        assert refused(ann, **body).status_code == 422
    assert refused(ann, record={"pad": "x" * STUDY_BODY}).status_code == 413
    assert ann.http.get("/api/reviews/" + "0" * 32).status_code == 404
    assert ann.http.get("/api/reviews/unknown").status_code == 400


def test_nobody_waits_for_the_compiler(monkeypatch: pytest.MonkeyPatch, ann: Guest) -> None:
    monkeypatch.setattr(reviewing, "ready", lambda match: False)
    answer = refused(ann, record=record_of("khiva"))
    assert answer.json()["error"] == "error.house.hint_compiling"


def test_one_person_cannot_ask_for_all_reviews_at_once(
    monkeypatch: pytest.MonkeyPatch, place: Place, ann: Guest
) -> None:
    monkeypatch.setattr(reviewing, "ready", lambda match: True)
    monkeypatch.setattr(reviewing, "REVIEWS_OF_PERSON", 0)
    answer = refused(ann, record=record_of("khiva"), open_hands=True)
    assert (answer.status_code, answer.json()["error"]) == (429, "error.house.reviews_person")


def test_the_review_of_a_deleted_table_goes_with_it(place: Place) -> None:
    cid = place.guest("Cid")
    table = finished(cid)
    name = reviewed(cid, table=table)["id"]
    assert cid.http.delete(f"/api/tables/{table}").status_code == 204
    assert cid.http.get(f"/api/reviews/{name}").status_code == 404


def test_bots_do_not_wait_for_a_review() -> None:
    """A piece of a review that takes long keeps no bot from thinking, and the next one makes way to bots that think."""
    gate, done = threading.Event(), list[str]()

    async def run() -> None:
        at_work = thinking()
        question = question_of("greedy")
        piece = asyncio.create_task(at_work.piece(gate.wait))
        await at_work.answer(question, "ann", "t")
        done.append("bot")
        assert not piece.done()
        gate.set()
        await piece
        at_work._answering = 1
        then = asyncio.create_task(at_work.piece(lambda: done.append("piece")))
        await asyncio.sleep(0.05)
        done.append("bot again")
        at_work._answering = 0
        await then
        at_work.close()

    asyncio.run(run())
    assert done == ["bot", "bot again", "piece"]
