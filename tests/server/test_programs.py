"""Programs as guests: everybody sees what they are, and they need no patches to follow a table."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from registan.core.errors import BadInput
from registan.tables.bots import bot_here
from tests.server.place import Guest, Place, until

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "bots" / "house_bot.py"


def program(place: Place) -> Guest:
    guest = place.guest(None)
    assert guest.post("/api/me", name="Robbie", program=True)["face"] == "program"
    return guest


def test_everybody_sees_that_a_program_is_one(place: Place) -> None:
    ann, robbie = place.guest("Ann"), program(place)
    table = ann.new_table(others=("", ""))
    robbie.sit(table)
    assert [seat["face"] == "program" for seat in ann.view(table)["seats"]] == [False, True, False]
    seats = [{"kind": "me"}, {"kind": "me", "name": "Ann"}, {"kind": "open"}]
    own = robbie.post("/api/tables", game="khiva", seats=seats)["table"]
    assert [seat["face"] for seat in robbie.view(own)["seats"]] == ["program", "program", ""], "under any name"


def test_a_program_stays_one_and_nobody_becomes_one(place: Place) -> None:
    robbie, ann = program(place), place.guest("Ann")
    assert robbie.post("/api/me", name="Ann", face="fur") == {"name": "Ann", "lang": "en", "face": "program"}
    for asked in ({"name": "Ann", "program": True}, {"name": "Ann", "face": "program"}):
        assert ann.http.post("/api/me", json=asked).status_code == 422
    assert ann.get("/api/me")["face"] != "program"


def test_a_host_may_send_a_program_away(place: Place) -> None:
    ann, robbie = place.guest("Ann"), program(place)
    table = ann.new_table(others=("", "random"))
    robbie.sit(table)
    ann.ask(table, do="stand", seat=1)
    assert robbie.get(f"/api/tables/{table}/seats")["seats"] == []


@pytest.mark.parametrize("level", ["exec:perl", "mybot.py:RuleBot", "search:1000000"])
def test_a_table_never_runs_what_its_log_names(level: str) -> None:
    """A log may come from another house: its bots are levels, not commands, files or budgets."""
    with pytest.raises(BadInput, match="There is no bot"):
        bot_here(level)


def test_whole_views_follow_the_table(place: Place) -> None:
    ann = place.guest("Ann")
    table = ann.new_table()
    with ann.socket(table) as whole, ann.socket(table) as patched:
        whole.ask(do="watch", seat=0, whole=True)
        patched.ask(do="watch", seat=0)
        for _ in range(3):
            view = whole.until(lambda view: view["view"]["legal"])
            answer = whole.ask(do="play", seat=0, move=view["view"]["legal"][0], key=str(view["seq"]))
            assert answer["type"] == "done"
        last = whole.until(lambda view: view["view"]["legal"])
        assert patched.until(lambda view: view["seq"] == last["seq"]) == last
        assert {message["type"] for message in whole.heard} == {"hello", "view", "done"}
        assert "update" in {message["type"] for message in patched.heard}
    with ann.socket(table) as again:
        again.ask(do="watch", seat=0, seq=last["seq"] - 1, whole=True)
        missed = again.views[0]  # as a whole view too; bots may have gone on meanwhile
        assert missed["seq"] >= last["seq"]
        assert missed["log"][: len(last["log"])] == last["log"]


def test_spectators_get_whole_views_of_what_they_may_see(place: Place) -> None:
    ann = place.guest("Ann")
    table = ann.new_table()
    with place.guest("Bo").socket(table) as bo:
        bo.ask(do="watch", whole=True)
        ann.ask(table, do="play", seat=0, move=ann.view(table)["view"]["legal"][0])
        seen = bo.until(lambda view: view["seq"] > 1 and view["log"], None)
        assert not seen["view"]["legal"]
        assert bo.ask(do="watch", seat=0, whole=True)["error"] == "error.house.not_your_seat"


def test_the_example_plays_a_whole_game_at_a_house(place: Place) -> None:
    ann = place.guest("Ann")
    table = ann.new_table(game="souk", others=("", "random"))
    with subprocess.Popen(
        [sys.executable, EXAMPLE, place.url, table, "Robbie"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as bot:
        try:
            until(lambda: ann.view(table)["seats"][1]["name"] == "Robbie" and not ann.view(table)["awaited"])
            ann.ask(table, do="start")
            until(lambda: ann.view(table)["status"] == "running")
            ann.ask(table, do="resign", seat=0)
            out, err = bot.communicate(timeout=100)
        finally:
            bot.kill()
    assert (bot.returncode, err) == (0, "")
    assert out.startswith("winners: [")
    assert ann.view(table)["status"] == "over"
