"""What can be looked up during a game: the log turn by turn, spaces of a map, hints."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest

import registan
from registan.bots.search import simulate
from registan.bots.search_bot import SearchBot
from registan.core import chance, engine
from registan.terminal import hints
from registan.terminal.hints import Adviser
from tests.terminal.person import Person


def test_the_log_is_told_turn_by_turn_from_the_latest_that_fit() -> None:
    person = Person(then="any", most=9)
    person.play("samarkand", players=3, seed=7)
    again = Person(["y", "l", "l 2", "l 900", "l two"])
    again.play("samarkand")
    latest, second = re.findall(r"^> l(?: 2)?\n(.*?)^▸", again.seen, re.M | re.S)[:2]
    titles = re.findall(r"^(\d+)\. (\w+)$", second, re.M)
    assert [int(number) for number, _ in titles] == list(range(2, 2 + len(titles)))
    assert {name for _, name in titles} == {"You", "Zarina", "Timur"}
    earlier = re.search(r"(\d+) earlier turns?: l 1 shows", latest)
    assert earlier is not None
    assert latest.startswith(f"{int(earlier[1]) + 1}. ")
    assert len(latest.splitlines()) <= 24 - 8 + 1
    assert latest.splitlines()[-2] == second.splitlines()[-1], "both end with the latest turn"
    assert "There is no turn “900” yet" in again.seen
    assert "There is no turn “two” yet" in again.seen


@pytest.mark.parametrize(("game", "title"), [("khiva", "1. deal 1, turn 1 of 4"), ("souk", "1. round 1 of ")])
def test_turns_are_called_as_in_the_game(game: str, title: str) -> None:
    Person(then="any", most=4).play(game, players=3, seed=3)
    again = Person(["y", "l 1"])
    again.play(game)
    assert f"> l 1\n{title}" in again.seen


def test_a_space_is_looked_up_by_its_name_or_its_goods() -> None:
    person = Person(["w ephesus", "w olive", "w nowhere", "w caspian", "w  "])
    person.play("samarkand", players=3, seed=7)
    described = "Ephesus: Olive oil (7). Next to it: "
    assert person.seen.count(described) == 2
    assert "Constantinople" in person.seen[person.seen.index(described) :].partition("\n▸")[0]
    assert "No space and no goods are called “nowhere”" in person.seen
    assert "Caspian Sea: water." in person.seen
    assert "“w” is not possible here" in person.seen


def test_with_a_terminal_the_space_is_also_shown_on_the_map() -> None:
    person = Person(["w samarcande"], sees=True)
    person.play("samarkand", players=3, seed=7, lang="fr")
    assert "[Samarcande]" in person.seen
    assert "À côté :" in " ".join(person.seen.split())


def test_camels_are_placed_by_the_numbers_on_the_map() -> None:
    person = Person(then="any", sees=True, most=10)
    person.play("samarkand", players=2, seed=2)
    asked = re.findall(r"^> \d+\n([^▸]*)▸ Where do you place[^\n]*\n(.*?)^> ", person.seen, re.M | re.S)
    assert asked
    for map_, answers in asked:
        offered = re.findall(r"(?:^|\s\s)\s*(\d+) (?=\S)", answers, re.M)
        assert set(offered) == set(re.findall(r"\[(\d+)\]", map_))
        assert len(answers.splitlines()) <= 8, "the map stays on the screen"


def test_plain_draws_nothing(data: Path) -> None:
    person = Person(sees=True)
    person.play("samarkand", players=3, seed=7, plain=True)
    drawn = Person(sees=True)
    drawn.play("samarkand", players=3, seed=7, new=True)
    assert "~~~" in drawn.seen
    assert "~~~" not in person.seen
    assert "Zarina" in person.seen.partition("▸ Into")[0].partition("trades with")[2], "the tables are there instead"


def test_a_hint_names_moves_and_reasons(monkeypatch: pytest.MonkeyPatch) -> None:
    # So many simulations, however fast the machine is.
    monkeypatch.setattr(hints, "adviser", lambda game, seconds: SearchBot(simulations=1500, seconds=None))
    for lang, odds, reason in (("en", "wins", "Compared with the other moves"), ("fr", "gagne", "Comparé aux autres")):
        person = Person(["h"])
        person.play(seed=7, lang=lang, new=True)
        hint = person.seen.partition("> h\n")[2].partition("▸")[0]
        assert hint.count("★") == 1
        assert re.search(rf"\({odds} \d+ % ± \d+", hint)
        assert reason in " ".join(hint.split())


def test_a_hint_loads_the_search_where_the_rest_runs_interpreted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "_compiled", set())
    match = registan.new("khiva", 3, seed=1)
    assert not match.engine.compiled
    assert Adviser(match).ready()
    assert match.engine.ready(simulate)


class Compiler:
    """A compiler that works until it is told to stop."""

    started: ClassVar[list[list[str]]] = []

    def __init__(self, words: list[str], **options: Any) -> None:
        self.started.append(words)
        self.code: int | None = None

    def poll(self) -> int | None:
        return self.code

    def terminate(self) -> None:
        self.code = -15

    def wait(self) -> int:
        assert self.code is not None
        return self.code


def test_while_the_search_is_compiled_the_game_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hints, "INTERPRET", False)
    monkeypatch.setattr(hints, "is_cached", lambda game, function: function is not simulate)
    monkeypatch.setattr(subprocess, "Popen", Compiler)
    Compiler.started.clear()
    person = Person(["h", "h", "1"])
    person.play("samarkand", players=3, seed=7)
    assert [words[2:] for words in Compiler.started] == [["registan", "warm", "samarkand", "--tables"]], "only once"
    assert " ".join(person.seen.split()).count("Play on, and ask again later.") == 2
    assert person.seen.count("★ marry into") == 2
    assert "You marry into" in person.seen


def test_the_compiler_is_stopped_with_the_game(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hints, "INTERPRET", False)
    monkeypatch.setattr(hints, "is_cached", lambda game, function: False)
    monkeypatch.setattr(subprocess, "Popen", Compiler)
    adviser = Adviser(registan.new("khiva", 3, seed=1))
    adviser.close()
    assert not adviser.ready()
    assert adviser.compiling
    adviser.close()
    assert not adviser.compiling


def test_without_a_compiler_only_a_glance_is_offered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hints, "INTERPRET", True)
    person = Person(["h"])
    person.play(seed=7)
    assert "the search is not compiled" in " ".join(person.seen.split())


def test_a_hint_knows_only_what_the_person_may_see(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hints, "INTERPRET", True)
    match, other = (registan.new("khiva", 3, seed=1) for _ in range(2))
    rng = np.zeros(chance.WORDS, np.uint64)
    chance.seed(rng, 1, 0)
    dealt = match.hidden(0)
    match.engine.guess(dealt, 0, rng)
    other.restore(dealt.tobytes())
    assert other.view(1)["hand"] != match.view(1)["hand"]
    told = []
    for known in (match, other):
        adviser = Adviser(known)
        adviser._dice.seed(1)
        told.append(adviser.hint(0, "en"))
    assert told[0] == told[1]
