"""The house recomputes the chance of a finished game, and explains what it checked."""

from __future__ import annotations

from typing import Any

import pytest

from registan.server.http.verify import verified
from registan.tables.fairness import key_of
from registan.tables.requests import Answer, Propose
from tests.server.place import Guest, Place
from tests.tables.house import new_table
from tests.tables.test_fairness import played, tamper_secret


@pytest.fixture(scope="module")
def ann(place: Place) -> Guest:
    return place.guest("Ann")


def over(ann: Guest, *levels: str) -> str:
    """Return a table whose game has been abandoned after some moves."""
    table = ann.new_table("khiva", levels)
    ann.ask(table, do="play", seat=0, move=ann.view(table)["view"]["legal"][0])
    ann.ask(table, do="propose", seat=0, what="abandon")
    return table


def test_anybody_may_ask_when_the_game_is_over(place: Place, ann: Guest) -> None:
    running = ann.new_table("khiva", ("random",))
    assert ann.http.get(f"/api/tables/{running}/verify").status_code == 422
    table = over(ann, "random", "random")
    told = place.guest(None).get(f"/api/tables/{table}/verify")
    assert told["good"] is True
    assert [item["what"] for item in told["checked"]] == ["moves", "commitment", "contributions", "setup", "chance"]
    record = ann.get(f"/api/tables/{table}/record")
    assert record["fairness"]["commitment"] in told["checked"][1]["text"]
    french = ann.get(f"/api/tables/{table}/verify", lang="fr")
    assert french["checked"][3]["text"] == "La mise en place est celle que donne cette clé."
    assert ann.http.get("/api/tables/nowhere/verify").status_code == 404


@pytest.mark.parametrize("game", ["khiva", "samarkand", "souk"])
def test_a_whole_game_is_verified(game: str) -> None:
    record = played(game)
    told = verified(record, "en")
    assert told.good
    assert told.shuffles == 1 + sum("chance" in line for line in record["moves"])
    assert f"{len(record['moves'])} lines" in told.checked[0].text
    assert "contributions of 3 seats" in told.checked[2].text
    assert told.key == key_of(record).hex()


def test_a_game_without_a_move_is_not_said_to_be_replayed() -> None:
    table, _ = new_table("khiva")
    for seat in range(3):
        what = Propose(seat=0, what="abandon") if seat == 0 else Answer(seat=seat, yes=True)
        what.carry_out(table, f"p{seat}", 3000)
    told = verified(table.record(), "en")
    assert told.good
    assert (told.checked[0].text, told.checked[-1].text) == (
        "The record has no moves: the game was given up before the first one.",
        "Chance decided nothing more after the setup.",
    )


@pytest.mark.parametrize("what", ["secret", "chance", "setup"])
def test_what_does_not_fit_is_said(what: str) -> None:
    record: Any = played("khiva")
    if what == "secret":
        tamper_secret(record)
    elif what == "setup":
        hands = record["setup"]["hands"]
        hands[0], hands[1] = hands[1], hands[0]
    else:
        record["fairness"]["contributions"][0] += "x"
    told = verified(record, "fr")
    assert not told.good
    assert told.checked == []
    assert told.fault
