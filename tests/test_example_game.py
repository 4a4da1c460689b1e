"""A game of another package can do everything that ours can, without a change here."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

import registan
from registan.core.record import dumps
from tests.example_game import installed


class Place:
    """A folder and an environment in which the example game is installed."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        # The game is small: interpreted it is quick enough, and nothing needs to be compiled for it.
        self.env = installed(folder / "site") | {"REGISTAN_INTERPRET": "1", "XDG_DATA_HOME": str(folder / "data")}

    def run(self, *command: str, typed: str = "") -> str:
        done = subprocess.run(
            [sys.executable, "-m", "registan", *command],
            cwd=self.folder, env=self.env, input=typed, capture_output=True, text=True, timeout=120,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        return done.stdout


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Place:
    return Place(tmp_path_factory.mktemp("well"))


def test_it_is_listed_and_its_rules_are_shown(place: Place) -> None:
    assert "The Well (2 to 5 players)" in place.run("games")
    assert "Le Puits" in place.run("games", "--lang", "fr")
    assert "from the smallest thirst" in place.run("rules", "well", "W3")


def test_it_is_simulated_recorded_and_checked(place: Place) -> None:
    place.run("simulate", "well", "--players", "3", "--games", "4", "--seed", "1", "--record", "well.jsonl",
              "--legal", "--states", "--bots", "greedy")  # fmt: skip
    records = [json.loads(line) for line in (place.folder / "well.jsonl").read_text().splitlines()]
    assert [record["game"] for record in records] == ["well"] * 4
    assert len(records[0]["moves"]) == 8 * 3 + 7
    assert "4" in place.run("check", "well.jsonl")
    assert "average" in place.run("simulate", "well", "--players", "5", "--games", "20").lower()


def test_bots_search_in_it(place: Place) -> None:
    table = place.run("arena", "well", "--players", "2", "--bots", "search:20,random", "--games", "4")
    assert "search:20" in table


def test_a_report_is_written(place: Place) -> None:
    place.run("lab", "report", "well", "--players", "3", "--games", "60", "--ladder-games", "0", "--out", "well.html")
    page = (place.folder / "well.html").read_text("utf-8")
    assert "The Well" in page
    assert "After the last night" in page


@pytest.mark.parametrize(("lang", "won"), [("en", "Night"), ("fr", "Nuit")])
def test_it_is_played_in_the_terminal(place: Place, lang: str, won: str) -> None:
    shown = place.run("play", "well", "--players", "3", "--seed", "3", "--new", "--lang", lang, typed="1\n" * 20)
    assert won in shown
    assert {"en": "thirst", "fr": "soif"}[lang] in shown
    [saved] = (place.folder / "data").rglob("terminal-well.jsonl")
    assert json.loads(saved.read_text())["status"] == "finished"


def test_where_it_is_not_installed_its_records_are_refused_in_words(place: Place) -> None:
    match = registan.new("khiva", players=2, seed=1)
    record = place.folder / "other.jsonl"
    record.write_bytes(dumps(match.record() | {"game": "well"}) + b"\n")
    done = subprocess.run([sys.executable, "-m", "registan", "check", str(record)], capture_output=True, text=True)
    assert done.returncode == 1
    assert "well" in done.stdout + done.stderr
