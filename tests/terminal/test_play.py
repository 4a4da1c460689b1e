"""Whole games in the terminal."""

from __future__ import annotations

import io
import json
import subprocess
import sys
import threading
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

import registan
from registan.core.errors import BadInput
from registan.core.game import Json
from registan.core.match import Match
from registan.terminal import session
from registan.terminal.play import bot_seat, play
from tests.terminal.person import Person


def saved(data: Path, game: str = "khiva") -> dict[str, Any]:
    record: dict[str, Any] = json.loads((data / f"terminal-{game}.jsonl").read_bytes())
    return record


@pytest.mark.parametrize(("players", "lang", "seat"), [(4, "en", 0), (2, "fr", 1)])
def test_a_whole_game_of_khiva(data: Path, players: int, lang: str, seat: int) -> None:
    person = Person(then="any")
    assert person.play(players=players, lang=lang, seat=seat, seed=5) == 0
    record = saved(data)
    match = registan.replay(record)
    assert match.over
    assert (record["seat"], record["names"][seat]) == (seat, None)
    for score in match.scores():
        assert all(str(points) in person.seen for points in score.values())
    assert str(data / "terminal-khiva.jsonl") in person.seen
    refused = {"en": "not possible here", "fr": "pas possible ici"}[lang]
    assert refused not in person.seen, "whatever is offered can be typed"
    assert max(map(len, person.seen.splitlines())) <= 80 + len(str(data)) + 60, "only paths may be longer than a line"


@pytest.mark.parametrize(("game", "players", "lang"), [("samarkand", 2, "fr"), ("souk", 3, "en")])
def test_a_whole_game_of_the_others(data: Path, game: str, players: int, lang: str) -> None:
    person = Person(then="any")
    person.play(game, players=players, lang=lang, seed=2)
    assert registan.replay(saved(data, game)).over


def test_the_table_fits_80_columns_and_shows_nothing_hidden() -> None:
    person = Person(["k2 w3"])
    person.play(seed=7)
    assert all(len(line) <= 80 for line in person.seen.splitlines() if "terminal-khiva" not in line)
    match = registan.new("khiva", 4, seed=7)
    theirs = [name for hand in (match.view(seat)["hand"] for seat in (1, 2, 3)) for name in hand]
    before = person.seen.partition("You: play")[0]
    for name in theirs:
        colour, value = name.split("-")
        assert f"{colour} {value}" not in before


def test_a_move_is_offered_with_what_it_brings() -> None:
    person = Person(["k2 w3", "b2 b4", "b1 p3"])
    person.play(seed=7)
    assert "The blue camel follows you" in person.last
    assert "1 gem → your counter: teapot 4" in person.last


def test_happenings_are_told_with_their_effects() -> None:
    person = Person(["k2 w3"])
    person.play(seed=7)
    assert "Timur moves the green camel. → shop 3 of Timur: 2 gems" in person.seen
    assert "Nodira: 1 gem as a consolation" in person.seen
    assert "→ your shop 2: carpet W3" in person.seen


def test_coming_back(data: Path) -> None:
    Person(["k2 w3", "q"]).play(seed=7)
    left = saved(data)
    assert left["status"] == "running"
    person = Person(["perhaps", "y"])
    person.play()
    assert "unfinished game of Khiva against Zarina, Timur and Nodira" in person.seen
    assert "“perhaps” is not one of these" in person.seen
    assert "deal 1, turn 2 of 4" in person.seen
    assert saved(data)["moves"] == left["moves"]


def test_starting_anew_keeps_the_game_before(data: Path) -> None:
    Person(["k2 w3", "q"]).play(seed=7)
    left = saved(data)
    Person(["n", "1 2", "q"]).play(seed=8)
    assert saved(data)["setup"] != left["setup"]
    Person(["q"]).play(seed=9, new=True)
    earlier = (data / "terminal-khiva-earlier.jsonl").read_bytes().splitlines()
    assert len(earlier) == 2
    assert json.loads(earlier[0]) == left


def test_a_deal_that_was_left_before_the_first_move_is_kept(data: Path) -> None:
    Person(["q"]).play(seed=7)
    dealt = (data / "terminal-khiva.jsonl").read_bytes()
    person = Person(["y", "q"])
    person.play(seed=8)
    assert "unfinished" in person.seen
    assert (data / "terminal-khiva.jsonl").read_bytes() == dealt


def test_a_deal_without_a_move_is_not_kept_beside_a_new_game(data: Path) -> None:
    Person(["q"]).play(seed=7)
    Person(["n", "q"]).play(seed=8)
    assert not (data / "terminal-khiva-earlier.jsonl").exists()


def test_leaving_at_the_first_question_changes_nothing(data: Path) -> None:
    Person(["k2 w3", "q"]).play(seed=7)
    left = (data / "terminal-khiva.jsonl").read_bytes()
    for script in (["q"], []):
        assert Person(script).play() == 0
        assert (data / "terminal-khiva.jsonl").read_bytes() == left


@pytest.mark.parametrize(
    "damage", [b"", b"{", b"[]", b'{"game": "souk"}', b'{"game": "khiva"}', b"\xff\xfe", b"{}\n{}"]
)
def test_a_damaged_save_is_set_aside(data: Path, damage: bytes) -> None:
    data.mkdir()
    (data / "terminal-khiva.jsonl").write_bytes(damage)
    for lang, said in (("en", "cannot be read"), ("fr", "illisible")):
        person = Person(["q"])
        assert person.play(lang=lang) == 0
        assert said in person.seen
        assert (data / "terminal-khiva.jsonl.bad").read_bytes() == damage
        assert saved(data)["status"] == "running"
        (data / "terminal-khiva.jsonl.bad").rename(data / "terminal-khiva.jsonl")


def test_a_save_with_an_impossible_move_is_set_aside(data: Path) -> None:
    Person(["k2 w3", "q"]).play(seed=7)
    record = saved(data)
    record["moves"][1]["play"] = ["white-9"]
    (data / "terminal-khiva.jsonl").write_text(json.dumps(record))
    person = Person(["q"])
    person.play()
    assert "move 2" in person.seen
    assert "white-9" in person.seen


def test_strange_further_fields_do_no_harm(data: Path) -> None:
    Person(["k2 w3", "q"]).play(seed=7)
    record = saved(data) | {"seat": "one", "names": [1, 2], "decided": {"a": 1}}
    (data / "terminal-khiva.jsonl").write_text(json.dumps(record))
    person = Person(["y"])
    person.play()
    assert "against Zarina, Timur and Nodira" in person.seen


def test_taking_back(data: Path) -> None:
    person = Person(["u", "k2 w3", "b2 b4", "u", "undo", "u"])
    person.play(seed=7)
    assert person.seen.count("There is no decision of yours") == 2
    assert person.seen.count("is taken back") == 2
    assert saved(data)["moves"] == []
    assert person.last.startswith("▸ Which card do you play?\n  1 W3 white")


def test_taking_back_after_coming_back(data: Path) -> None:
    Person(["k2 w3", "b2 b4", "q"]).play(seed=7)
    person = Person(["y", "u", "u"])
    person.play()
    assert saved(data)["moves"] == []


def test_taking_back_half_a_decision() -> None:
    person = Person(["1", "u"])
    person.play(seed=7)
    assert person.last.startswith("▸ Which card do you play?")
    assert "taken back" not in person.seen


def test_wrong_answers_are_answered_kindly() -> None:
    person = Person(["9", "p5", "blue", "black 2", "5", "white three w3"])
    person.play(seed=7)
    assert "“9” is not possible here: type 1 to 5, or for example W3; help for help." in person.seen
    assert "“p5” is not possible here" in person.seen
    assert "“blue” could mean 2 to 4: which one?" in person.seen
    assert "You play K2. Which card do you give to Zarina?" in person.seen
    assert "“5” is not possible here: type 1 to 4" in person.seen


def test_looking_things_up() -> None:
    person = Person(["help", "?", "? k7", "? zebra", "s", "l", "k2 w3", "log", ""])
    person.play(seed=7)
    assert "1. deal 1, turn 1 of 4" in person.seen
    for said in (
        "this help",
        "K18.",
        "K7. A camel that reaches",
        "No rule mentions “zebra”",
        "face down",
    ):
        assert said in person.seen
    assert "Nothing has happened yet." in person.seen
    assert person.seen.count("• You: play black 2, give white 3.") == 2
    assert person.seen.count("deal 1, turn 2 of 4") == 2


def test_french() -> None:
    person = Person(["b3 n2", "aide", "s", "l", "?", "x"])
    person.play(seed=7, lang="fr")
    for said in (
        "vous jouez contre Zarina, Timur et Nodira",
        "Quelle carte jouez-vous ?",
        "un conseil : les meilleurs coups, et pourquoi",
        "Vous : jouer blanc 3, donner noir 2.",
        "pierre en consolation",
        "« x » n’est pas possible ici : tapez un numéro de 1 à 4",
        "Votre partie est enregistrée",
    ):
        assert said in " ".join(person.seen.split())


def test_an_order_to_wait_in_the_souk() -> None:
    person = Person(["5", "w6", "u"])
    person.play("souk", players=3, seed=3)
    assert "You wait down to 6." in person.seen
    assert "The price is 9" not in person.seen
    assert person.last.startswith("▸ The price is 10")


def test_other_bots_can_be_plugged_in() -> None:
    asked: list[int] = []

    def first(match: Match, seat: int) -> Json:
        asked.append(seat)
        return match.legal(seat)[0]

    Person(["1 2"]).play(seed=7, bots=lambda seat: first)
    assert set(asked) == {1, 2, 3}


def test_our_bots_play_the_same_with_the_same_seed() -> None:
    match = registan.new("khiva", 3, seed=1)
    assert bot_seat(seed=4)(match, 1) == bot_seat(seed=4)(match, 1)


def test_a_slow_bot_is_said_to_think(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session, "SLOW", 0.01)
    person, told = Person(["1 2"]), threading.Event()
    show = person.console.print

    def listen(*things: Any, **style: Any) -> None:
        show(*things, **style)
        if "is thinking" in person.seen:
            told.set()

    def slow(match: Match, seat: int) -> Json:
        assert told.wait(10)
        return match.legal(seat)[0]

    monkeypatch.setattr(person.console, "print", listen)
    person.play(seed=7, bots=lambda seat: slow)
    assert "Zarina is thinking…" in person.seen


def test_ctrl_c_saves_and_leaves(data: Path) -> None:
    def interrupted(match: Match, seat: int) -> Json:
        raise KeyboardInterrupt

    person = Person(["1 2"])
    assert person.play(seed=7, bots=lambda seat: interrupted) == 0
    assert "Your game is saved" in person.seen
    assert saved(data)["status"] == "running"


def test_a_folder_that_cannot_be_written_is_said_once(data: Path) -> None:
    data.write_text("not a folder")
    person = Person(["k2 w3", "b2 b4", "q"])
    assert person.play(seed=7) == 0
    assert person.seen.count("cannot be saved") == 1
    assert "Your game is saved" not in person.seen


@pytest.mark.parametrize(
    "wrong", [{"players": 7}, {"seat": 4}, {"seat": -1}, {"options": {"open_doors": True}}, {"box": "no-such-box"}]
)
def test_wrong_wishes_are_refused_before_anything_is_touched(data: Path, wrong: dict[str, Any]) -> None:
    with pytest.raises(BadInput):
        Person().play(**wrong)
    assert not data.exists()


def test_options_reach_the_game() -> None:
    person = Person(["k2 w3", "s"])
    person.play(seed=7, options={"open_scores": True})
    assert "face down" not in person.seen


def test_who_begins_can_be_named() -> None:
    person = Person()
    person.play("samarkand", players=3, seed=7, seat=2, first=2, new=True)
    assert "it is your turn" in person.seen
    with pytest.raises(BadInput):
        Person().play("khiva", first=0)


def test_k1_a_covered_carpet_is_shown_as_such() -> None:
    person = Person(["s"])
    person.play(seed=7, options={"carpets": "hidden"})
    assert "top one covered" in person.seen


def test_m8_sales_behind_screens_are_told_when_they_happen() -> None:
    person = Person(then="any")
    person.play("souk", players=3, seed=7, options={"hidden_purchases": True})
    assert "behind the screen" in person.seen
    assert "is sold." in person.seen


@pytest.mark.no_cover
@pytest.mark.parametrize(("game", "options"), [("samarkand", {}), ("souk", {"hidden_purchases": True})])
def test_every_line_one_may_read_is_told_once(
    monkeypatch: pytest.MonkeyPatch, game: str, options: dict[str, Any]
) -> None:
    told: list[int] = []
    matches: list[Match] = []
    tell = session.Session.tell

    def listen(self: session.Session, lines: Iterable[tuple[int, Json]]) -> None:
        matches[:] = [self.match]
        news = list(lines)
        told.extend(i for i, _ in news)
        tell(self, news)

    monkeypatch.setattr(session.Session, "tell", listen)
    Person(then="any").play(game, players=3, seed=7, options=options)
    assert matches[0].over
    assert told == [i for i, _ in matches[0].readable(0)]


def test_standard_input_line_by_line(data: Path) -> None:
    code = "from registan.terminal.play import play; raise SystemExit(play('khiva', seed=7, lang='en'))"
    run = subprocess.run([sys.executable, "-c", code], input="k2 w3\nq\n", capture_output=True, text=True, timeout=60)
    assert (run.returncode, run.stderr) == (0, "")
    assert "You: play black 2, give white 3." in run.stdout
    assert "\x1b" not in run.stdout, "no colours where there is no terminal"


def test_an_output_without_our_letters(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONIOENCODING", "ascii")
    code = "from registan.terminal.play import play; raise SystemExit(play('khiva', seed=7, lang='fr'))"
    run = subprocess.run([sys.executable, "-c", code], input=b"q\n", capture_output=True, timeout=60)
    assert run.returncode == 0
    assert b"theiere" in run.stdout
    assert b"B3 blanc *" in run.stdout
    assert b"? pour les regles" in run.stdout


def test_without_a_console_given_it_writes_to_standard_output(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("q\n"))
    assert play("khiva", lang="en") == 0
    assert "Which card do you play?" in capsys.readouterr().out
