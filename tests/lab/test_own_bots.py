"""Own bots in the arena: from the command line, from Python, in other processes; and how one begins."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import registan
from registan.bots import NAMES, process, process_bot
from registan.bots.greedy import GreedyBot
from registan.core.compiled import INTERPRET
from registan.core.errors import BadInput
from registan.lab.arena import Arena, play_arena
from registan.lab.journal import Journal
from registan.lab.run import Run, make_run
from registan.lab.standings import standings
from tests.bots.test_own_bots import EXAMPLES, RULE_BOT, Odd
from tests.bots.test_process_bot import program
from tests.lab.command import run

GAMES = 3
LINE_BOT = f"exec:20s:{sys.executable} {EXAMPLES / 'line_bot.py'}"


@pytest.fixture(autouse=True)
def ended() -> Iterator[None]:
    """End all programs after a test."""
    yield
    process.close_all()
    process_bot._idle.clear()


def test_names_classes_and_objects_compete() -> None:
    result = registan.arena("souk", [Odd, RULE_BOT, "random"], players=3, games=GAMES, seed=3)
    assert [bot.name for bot in result.bots] == ["Odd", RULE_BOT, "random"]
    assert all(bot.games == GAMES and bot.wins.low <= bot.wins.value <= bot.wins.high for bot in result.bots)
    again = registan.arena("souk", [Odd(), RULE_BOT, "random"], players=3, games=GAMES, seed=3)
    assert again.written() == result.written()


def test_without_a_number_of_players_there_are_four_or_as_many_as_the_game_allows() -> None:
    assert registan.arena("souk", ["random"], games=1).arena.run.players == 4


class Impostor(GreedyBot):
    """Would have been replaced by the built-in bot of its name."""


def test_a_bot_named_like_a_built_in_is_refused_wherever_it_comes_from() -> None:
    with pytest.raises(BadInput, match="built-in"):
        registan.arena("souk", [Impostor, "random"], players=3, games=GAMES)
    made = make_run("souk", 3, ["random"], GAMES, 0)
    with pytest.raises(BadInput, match="built-in"):
        Run(made.game, made.box, 3, {}, [Impostor()], GAMES, 0)


def test_two_different_bots_of_one_name_are_refused() -> None:
    with pytest.raises(BadInput, match="Two different bots are called “Odd”"):
        registan.arena("souk", [Odd(), Odd({"do": "stop"})], players=3, games=GAMES)


def test_one_bot_may_sit_in_several_seats() -> None:
    mine = Odd()
    for bots in ([Odd, Odd, "random"], [mine, mine, "random"], [RULE_BOT, RULE_BOT, "random"]):
        assert len(Arena(make_run("souk", 3, bots, GAMES, 0)).names) == 2


def test_other_processes_play_the_same_games() -> None:
    contest = Arena(make_run("souk", 3, [RULE_BOT, f"exec:20s:perl {EXAMPLES / 'line_bot.pl'}"], GAMES, seed=7))
    alone, together = (
        sorted((game for games in play_arena(contest, set(), n) for game in games), key=lambda game: game.number)
        for n in (1, 2)
    )
    assert alone == together
    assert not any(game.faults for game in alone)


def test_faults_are_counted_and_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    name = program(tmp_path, "read(); read(); sys.exit(3)", 20)
    journal = tmp_path / "games.jsonl"
    command = ("arena", "souk", "--players", 3, "--games", GAMES, "--bots", f"{name},random", "--workers", 1)
    code, out, err = run(capsys, *command, "--json", "--resume", journal)
    assert code == 0
    mine, random = json.loads(out)["standings"]
    assert mine["faults"] == {"crash": 3 * GAMES}
    assert mine["first_fault"]["why"] == "it ended with exit code 3"
    assert "faults" not in random
    assert f"{3 * GAMES} crashes" in err
    assert "exit code 3" in err
    code, again, err = run(capsys, *command, "--json", "--resume", journal, "--lang", "fr")
    assert (code, json.loads(again)) == (0, json.loads(out)), "the file keeps the faults"
    assert f"{3 * GAMES} plantages" in err


def test_a_simulation_does_not_go_on_with_a_program_that_fails(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    name = program(tmp_path, "read(); read(); sys.exit(3)", 20)
    code, _, err = run(capsys, "simulate", "souk", "--players", 3, "--games", 1, "--bots", f"{name},random,random")
    assert code == 2
    assert "exit code 3" in err


def test_older_files_of_an_arena_can_be_resumed(tmp_path: Path) -> None:
    contest = Arena(make_run("souk", 3, ["random", "greedy"], GAMES, seed=7))
    played = [game for games in play_arena(contest, set()) for game in games]
    with Journal(contest, tmp_path / "games.jsonl") as journal:
        journal.add(played)
    assert "faults" not in (tmp_path / "games.jsonl").read_text()
    with Journal(contest, tmp_path / "games.jsonl") as journal:
        assert journal.played == played
        assert standings(contest, journal.played) is not None


def test_bots_lists_what_there_is(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "bots")
    assert code == 0
    assert [line.split()[0] for line in out.splitlines()[:-1]] == list(NAMES)
    assert "joue" in run(capsys, "bots", "--lang", "fr")[1]


def test_a_new_bot_works(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    code, out, _ = run(capsys, "bot", "new", "my_first", "--game", "souk")
    assert code == 0
    assert "registan arena souk --players 4 --bots my_first.py:MyFirstBot,random" in out
    folder = tmp_path / "my_first"
    assert sorted(path.name for path in folder.iterdir()) == ["my_first.py", "test_my_first.py"]
    code, out, _ = run(
        capsys, "arena", "souk", "--games", 4, "--workers", 1, "--bots", "my_first/my_first.py:MyFirstBot,random"
    )
    assert code == 0
    assert "MyFirstBot" in out
    if INTERPRET:  # otherwise its own test would compile the game once more
        tested = subprocess.run([sys.executable, "-m", "unittest"], cwd=folder, capture_output=True, text=True)
        assert tested.returncode == 0, tested.stderr
        assert "Ran 1 test" in tested.stderr


@pytest.mark.parametrize(
    ("words", "said"),
    [(["My Bot"], "small letters"), (["greedy"], "built-in"), (["mine", "--game", "chess"], "no game"),
     (["here"], "exists already")],
)  # fmt: skip
def test_a_bot_that_cannot_be_made_says_why(
    words: list[str], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "here").mkdir()
    code, _, err = run(capsys, "bot", "new", *words)
    assert code == 2
    assert said in err
    assert [path.name for path in tmp_path.iterdir()] == ["here"]


def test_the_commands_of_the_page_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "examples").symlink_to(EXAMPLES.parent)
    text = (EXAMPLES.parents[1] / "docs" / "own_bots.md").read_text("utf-8")
    commands = re.findall(r"^\$ registan (.*)$", text, re.MULTILINE)
    assert len(commands) == 3
    for command in commands:
        code, out, _ = run(capsys, *shlex.split(command))
        assert code == 0, command
        assert out, command
