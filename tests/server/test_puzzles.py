"""Puzzles over HTTP: the list, the one of the day, the position as its seat sees it, and the solution."""

from __future__ import annotations

from typing import Any

import pytest

from registan.advice.puzzles.puzzle import position, puzzles_of
from registan.core.registry import find, keys
from registan.server.http.puzzles import of_the_day
from registan.server.storage.tries import Tries
from tests.server.place import Guest, Place


@pytest.fixture(scope="module")
def anybody(place: Place) -> Guest:
    return place.guest(None)


def first_of(key: str, do: str = "") -> Any:
    """Return a puzzle of a game, of a kind if one is named."""
    return next(one for one in puzzles_of(find(key)).values() if not do or one.puzzle.best["do"] == do)


def test_all_puzzles_are_listed_with_the_one_of_the_day(anybody: Guest) -> None:
    books = {book["game"]: book for book in anybody.get("/api/puzzles")}
    assert set(books) == set(keys())
    for key, book in books.items():
        ids = [one["id"] for one in book["puzzles"]]
        assert sorted(ids) == sorted(puzzles_of(find(key)))
        assert book["today"] in ids
        ratings = [one["rating"] for one in book["puzzles"]]
        assert ratings == sorted(ratings)


def test_each_puzzle_comes_once_before_any_comes_again() -> None:
    ids = [f"{n:08x}" for n in range(30)]
    for turn in range(3):
        days = [of_the_day(ids, day) for day in range(30 * turn, 30 * turn + 30)]
        assert sorted(days) == ids
        assert days != ids


@pytest.mark.parametrize("key", keys())
def test_a_puzzle_shows_what_its_seat_sees_and_nothing_else(anybody: Guest, key: str) -> None:
    posed = first_of(key)
    puzzle = posed.puzzle
    told = anybody.get(f"/api/puzzles/{key}/{puzzle.id}")
    match = position(posed, find)
    assert told["moment"]["view"] == match.view(puzzle.seat)
    assert len(told["moment"]["log"]) == len(match.log(puzzle.seat))
    assert (told["seat"], told["players"], told["moment"]["you"]) == (puzzle.seat, match.players, puzzle.seat)
    assert set(told) == {"game", "id", "box", "options", "players", "seat", "rating", "moment"}


@pytest.mark.parametrize("key", keys())
def test_every_move_gets_its_answer_and_who_gives_up_sees_the_solution(anybody: Guest, key: str) -> None:
    puzzle = first_of(key).puzzle
    path = f"/api/puzzles/{key}/{puzzle.id}"
    for place in (0, 1, len(puzzle.moves) - 1):
        told = anybody.post(path, move=puzzle.moves[place].move)
        assert (told["right"], told["chosen"]) == (place == 0, place)
        assert told["moves"][0]["move"] == puzzle.best
        assert told["moves"][0]["why"] == puzzle.moves[0].why
        assert told["moves"][told["obvious"]]["move"] == puzzle.obvious
    told = anybody.post(path)
    assert (told["right"], told["chosen"]) == (False, None)


def test_sealed_orders_answer_too(anybody: Guest) -> None:
    """M15: at the board, a price can be answered by an order that goes further down."""
    puzzle = first_of("souk", "wait").puzzle
    path = f"/api/puzzles/souk/{puzzle.id}"
    assert anybody.post(path, orders={"do": "wait", "down_to": 0})["right"]
    answer = anybody.http.post(path, json={"orders": {"do": "dance"}})
    assert answer.status_code == 422
    khiva = first_of("khiva").puzzle
    answer = anybody.http.post(f"/api/puzzles/khiva/{khiva.id}", json={"orders": {"do": "wait"}})
    assert (answer.status_code, answer.json()["error"]) == (422, "error.house.orders")


def test_what_is_wrong_is_said(anybody: Guest) -> None:
    puzzle = first_of("khiva").puzzle
    path = f"/api/puzzles/khiva/{puzzle.id}"
    for body, status in [({"move": {"do": "dance"}}, 422), ({"move": 3}, 400), ({"other": 3}, 400)]:
        assert anybody.http.post(path, json=body).status_code == status
    broken = {**puzzle.best, "play": ["white-3", "white-3"]} if "play" in puzzle.best else {"do": "choose"}
    assert anybody.http.post(path, json={"move": broken}).status_code in (409, 422)
    for missing in ("/api/puzzles/khiva/00000000", f"/api/puzzles/souk/{puzzle.id}"):
        answer = anybody.http.get(missing, headers={"accept-language": "fr"})
        assert (answer.status_code, answer.json()["text"]) == (404, "Ce problème n’existe pas.")
    assert anybody.http.get("/api/puzzles/chess/00000000").status_code == 422


def test_puzzles_that_beat_people_become_harder_and_those_that_do_not_easier(place: Place) -> None:
    easy, hard, *_ = puzzles_of(find("souk")).values()
    place.house.tries = Tries(place.house.documents, pause=0)
    for n in range(12):
        guest = place.guest(f"Solver {n}")
        assert guest.post(f"/api/puzzles/souk/{easy.puzzle.id}", move=easy.puzzle.best)["right"]
        assert not guest.post(f"/api/puzzles/souk/{hard.puzzle.id}")["right"]
    ratings = place.run(place.house.tries.ratings(find("souk")))
    assert ratings[easy.puzzle.id] < easy.puzzle.rating - 30
    assert ratings[hard.puzzle.id] > hard.puzzle.rating + 30
    shown = place.guest(None).get(f"/api/puzzles/souk/{hard.puzzle.id}")
    assert shown["rating"] == ratings[hard.puzzle.id]
