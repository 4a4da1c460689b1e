"""One's own page: results, ratings, mistakes and puzzles; what is secret there, taking it along, and deleting it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from registan.advice import review
from registan.advice.puzzles.puzzle import puzzles_of
from registan.core.registry import find
from registan.tables import events as e
from tests.server.place import Guest, Place, until
from tests.server.test_reviews import finished, reviewed


def results(place: Place, table: str) -> list[Any]:
    sql = "SELECT seat, who, level, place, share, rated, mean FROM results WHERE table_id = $1 ORDER BY seat"
    return place.run(place.house.store.fetch(sql, table))


def until_stored(place: Place, table: str, rated: bool = False) -> list[Any]:
    until(lambda: len(results(place, table)) > 0 and (not rated or all(row[6] for row in results(place, table))))
    return results(place, table)


def play_out(table: str, *guests: Guest) -> None:
    """Let guests play the first legal move until the game is over, each at the seat of that number."""
    while guests[0].view(table)["status"] != "over":
        for seat, guest in enumerate(guests):
            legal = guest.view(table, seat)["view"]["legal"]
            if legal:
                guest.ask(table, do="play", seat=seat, move=legal[0])


def test_finished_games_are_listed_with_results_and_win_shares(place: Place) -> None:
    ann = place.guest("Ann")
    assert ann.get("/api/me/profile")["games"] == 0
    tables = [finished(ann) for _ in range(2)]
    for table in tables:
        until_stored(place, table)
    page = ann.get("/api/me/games")
    assert [game["table"] for game in page["games"]] == tables[::-1], "the latest first"
    assert page["total"] == 2
    game = page["games"][0]
    assert [seat["name"] for seat in game["seats"]] == ["Ann", ""]
    assert [seat["level"] for seat in game["seats"]] == ["", "random"]
    assert [seat["mine"] for seat in game["seats"]] == [True, False]
    record = ann.get(f"/api/tables/{tables[1]}/record")
    assert [seat["points"] for seat in game["seats"]] == [score["total"] for score in record["scores"]]
    assert [seat["place"] == 1 for seat in game["seats"]] == [seat in record["winners"] for seat in (0, 1)]
    assert ann.get("/api/me/games", after=1)["games"] == page["games"][1:]
    all_, against = ann.get("/api/me/profile")["wins"]
    assert (all_["level"], against["level"]) == (None, "random")
    assert (all_["games"], all_["par"], all_["wins"]) == (2, 1.0, against["wins"])
    assert place.guest("Bo").get("/api/me/profile")["games"] == 0
    assert place.guest(None).http.get("/api/me/profile").status_code == 401


def test_a_rated_game_changes_ratings_and_has_no_hints(place: Place) -> None:
    ann, bo = place.guest("Ann"), place.guest("Bo")
    table = ann.new_table("khiva", ("", "random"), rated=True)
    assert ann.view(table)["rated"] is True
    bo.sit(table)
    ann.start(table)
    assert ann.view(table)["hints"] is False
    answer = ann.http.post(f"/api/tables/{table}", json={"do": "propose", "seat": 0, "what": "hints"})
    assert answer.json()["error"] == "error.house.no_hints_rated"
    assert ann.http.post(f"/api/tables/{table}/hint", json={"seat": 0}).json()["error"] == "error.house.no_hints_rated"
    assert ann.get("/api/me/profile")["ratings"] == []
    play_out(table, ann, bo)
    rows = until_stored(place, table, rated=True)
    best = min(rows, key=lambda row: row[3])
    assert best[6] > 1500 > max(rows, key=lambda row: row[3])[6]
    (mine,) = ann.get("/api/me/profile")["ratings"]
    assert mine["game"] == "khiva"
    assert mine["rating"]["value"] == round(rows[0][6])
    assert mine["rating"]["low"] < mine["rating"]["value"] < mine["rating"]["high"]
    bots = ann.get("/api/me/profile")["bots"]
    assert [(bot["game"], bot["level"]) for bot in bots] == [("khiva", "random")]
    assert ann.http.delete(f"/api/tables/{table}").json()["error"] == "error.house.delete_rated"


def test_ratings_are_the_same_when_they_are_computed_again(place: Place) -> None:
    ann = place.guest("Ann")
    tables = [finished(ann, rated=True) for _ in range(2)]
    before = [until_stored(place, table, rated=True) for table in tables]
    assert len({row[6] for rows in before for row in rows}) == 4, "every game has changed both ratings"
    place.run(place.house.store.execute("UPDATE results SET mean = NULL, spread = NULL"))
    place.run(place.house.results.rate("khiva"))
    assert [results(place, table) for table in tables] == before
    # Also from the logs alone, as for a database from before there were results.
    place.run(place.house.store.execute("DELETE FROM results"))
    place.run(place.house.results.fill())
    assert [results(place, table) for table in tables] == before
    # A game that ended earlier and is stored later is rated in its place.
    place.run(place.house.store.execute("DELETE FROM results WHERE table_id = $1", tables[0]))
    place.run(place.house.results.fill())
    assert [results(place, table) for table in tables] == before


def test_abandoned_games_and_shared_seats_do_not_count(place: Place) -> None:
    ann = place.guest("Ann")
    table = ann.new_table("khiva", ("random",), rated=True)
    ann.ask(table, do="propose", seat=0, what="abandon")
    assert ann.view(table)["status"] == "abandoned"
    seats = [{"kind": "me"}, {"kind": "me", "name": "Guest"}]
    answer = ann.http.post("/api/tables", json={"game": "khiva", "seats": seats, "rated": True})
    assert answer.json()["error"] == "error.house.rated_seats"
    other = ann.new_table("khiva", ("", "random"), rated=True)
    answer = ann.http.post(f"/api/tables/{other}", json={"do": "sit", "seat": 1})
    assert answer.json()["error"] == "error.house.seated"
    assert ann.get("/api/me/games")["total"] == 0


def test_whoever_has_left_a_game_has_lost_it(place: Place) -> None:
    ann, bo = place.guest("Ann"), place.guest("Bo")
    table = ann.new_table("khiva", ("",))  # two people
    bo.sit(table)
    ann.start(table)
    bo.ask(table, do="resign", seat=1)
    while ann.view(table)["status"] != "over":
        legal = ann.view(table)["view"]["legal"]
        if legal:
            ann.ask(table, do="play", seat=0, move=legal[0])
    rows = until_stored(place, table)
    assert [(row[3], row[4]) for row in rows] == [(1, pytest.approx(rows[0][4])), (2, 0.0)]


def test_a_running_game_is_nowhere_on_the_page(place: Place) -> None:
    ann = place.guest("Ann")
    ann.new_table("khiva", ("random", "random"), rated=True)
    told = json.dumps([ann.get("/api/me/profile"), ann.get("/api/me/games")])
    assert ann.get("/api/me/games") == {"games": [], "total": 0}
    assert "Ann" not in told


@pytest.mark.usefixtures("short_reviews")
def test_mistakes_come_from_reviews(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(review, "MISTAKE", 0.0)
    monkeypatch.setattr(review, "CERTAIN", 0.0)
    monkeypatch.setattr(review, "LIKELY", 0.0)
    ann = place.guest("Ann")
    table = finished(ann)
    until_stored(place, table)
    assert ann.get("/api/me/profile")["mistakes"] == []
    found = reviewed(ann, table=table)["review"]
    told = ann.get("/api/me/profile")
    mine = [row for row in found["decisions"] if row["seat"] == 0]
    assert sum(row["mistakes"] for row in told["mistakes"]) == sum(row["mistake"] for row in mine) > 0
    assert {row["do"] for row in told["mistakes"]} <= {row["played"]["do"] for row in mine}
    assert {row["phase"] for row in told["mistakes"]} <= {0, 1, 2}
    assert told["accuracy"][0]["accuracy"] == pytest.approx(found["seats"][0]["accuracy"]["value"])
    assert ann.get("/api/me/games")["games"][0]["accuracy"] is not None


def try_puzzle(guest: Guest) -> None:
    """Give up on a puzzle."""
    guest.post(f"/api/puzzles/khiva/{next(iter(puzzles_of(find('khiva'))))}")


def test_solved_puzzles_are_remembered_and_the_first_answer_counts(place: Place) -> None:
    ann = place.guest("Ann")
    puzzle = next(iter(puzzles_of(find("khiva")).values())).puzzle
    path = f"/api/puzzles/khiva/{puzzle.id}"
    assert ann.http.post(path, json={"move": {"do": "nothing"}}).status_code == 422
    assert ann.get("/api/me/puzzles") == [], "what is refused is no answer"
    assert not ann.post(path)["right"]
    assert ann.post(path, move=puzzle.best)["right"]
    (one,) = ann.get("/api/me/profile")["solved"]
    assert (one["puzzle"], one["game"], one["right"], one["rating"]) == (puzzle.id, "khiva", False, puzzle.rating)
    assert ann.get("/api/me/puzzles") == [one]
    assert place.guest(None).http.get("/api/me/puzzles").status_code == 401


def test_everything_can_be_taken_along(place: Place) -> None:
    ann = place.guest("Ann")
    table = finished(ann)
    until_stored(place, table)
    ann.put("/api/me/notifications", webhook="https://example.org/hook")
    try_puzzle(ann)
    answer = ann.http.get("/api/me/export")
    assert "attachment" in answer.headers["content-disposition"]
    told = answer.json()
    assert (told["format"], told["name"]) == ("registan-me/1", "Ann")
    assert [game["table"] for game in told["games"]] == [table]
    assert told["notifications"]["webhook"] == "https://example.org/hook"
    assert told["documents"][0]["kind"] == "solved"
    assert len(told["devices"]) == 1


def everywhere(place: Place) -> bytes:
    """Return all that the database holds, as far as it may name people."""
    parts = []
    for table in ("tables", "events", "people", "wishes", "switches", "notices", "results", "reviews", "documents"):
        parts += [repr(tuple(row)) for row in place.run(place.house.store.fetch(f"SELECT * FROM {table}"))]
    return "\n".join(parts).encode()


def test_whoever_deletes_their_data_is_forgotten_and_the_game_is_still_fair(place: Place) -> None:
    zoe, bo = place.guest("Zoraida"), place.guest("Bo")
    who = place.signer.person(zoe.cookie)
    assert who is not None
    table = zoe.new_table("khiva", ("",), rated=True)
    bo.sit(table)
    zoe.contribute(table)
    zoe.start(table)
    zoe.ask(table, do="say", seat=0, text="I am Zoraida of Bukhara", key="k1")
    play_out(table, zoe, bo)
    before = until_stored(place, table, rated=True)
    zoe.put("/api/me/notifications", webhook="https://example.org/zoraida")
    try_puzzle(zoe)
    alone = zoe.new_table("khiva", ("random",))
    going = bo.new_table("khiva", ("",))
    zoe.sit(going)
    bo.contribute(going)
    bo.start(going)
    assert zoe.http.delete("/api/me").status_code == 200
    assert zoe.http.get("/api/me").json() is None, "signed out"
    assert bo.http.get(f"/api/tables/{alone}").status_code == 410
    assert bo.view(going)["seats"][1]["resigned"] is True
    shown = bo.view(table, 1)
    assert shown["seats"][0]["name"].startswith("sha256:")
    assert bo.get(f"/api/tables/{table}/verify")["good"] is True, "the deal can still be checked"
    assert bo.get("/api/me/games")["games"][0]["seats"][0]["name"].startswith("sha256:")
    while bo.view(going)["status"] != "over":
        legal = bo.view(going)["view"]["legal"]
        if legal:
            bo.ask(going, do="play", seat=0, move=legal[0])
    until(lambda: b"Zoraida" not in everywhere(place))
    until(lambda: who.who.encode() not in everywhere(place))
    after = results(place, table)
    assert [row[6] for row in after] == [row[6] for row in before], "the ratings of the others stay"
    assert after[0][1].startswith("gone-")
    log = [e.loads(data) for data in place.run(place.house.store.log(table))]
    assert [event.text for event in log if isinstance(event, e.Said)] == ["–"]
